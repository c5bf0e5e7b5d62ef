import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "../../../src/knowledge/corpus/sources.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import type { Asked } from "../../../test/bench/ask-sets.ts";

/**
 * Training data for the gate for a firm's own documents: small bodies of documents as a firm might import them, each
 * made of sections whose questions are held back from the reader (`../meaning/sections`), with those questions. The
 * reader does learn claims on the sections, and its first training had seen some of the oldest questions.
 */
const folder = join(import.meta.dir, "../meaning");
/** Whether a section's questions are held back. `written.py` holds back the same ones. */
const isHeldBack = (line: number): boolean => line % 7 === 0;
/** Number of sections per body, and of questions of each kind (answered, unanswered) per section. */
const sectionsOfBody = 8;
const questionsOfKind = 1;

const markets: Readonly<Record<string, string>> = { cs: "CZ", sk: "SK", en: "GB", de: "DE", pl: "PL", hu: "HU" };

interface Questions {
  readonly id: string;
  readonly answered: readonly string[];
  /** For each answered question, the words of the section that answer it. */
  readonly where: readonly (readonly string[])[];
  readonly unanswered: readonly string[];
}
interface Section extends Questions {
  readonly section: string;
}

const rowsOf = <T>(path: string): T[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line): T => JSON.parse(line))
    : [];

const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const filesIn = (name: string): string[] =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith(".jsonl"))
    .sort();

const spaced = (text: string): string => text.replace(/\s+/g, " ");

/** Returns the list in a deterministic order that is independent of the authors'. */
const mixed = <T>(list: readonly T[], keyOf: (one: T) => string): T[] =>
  list
    .map((one) => ({ one, key: sha256(keyOf(one)).toString("hex") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);

/** Returns a few questions of each kind on a section. */
function askedOf(written: readonly Questions[], language: string): Asked[] {
  const facts = { language, country: markets[language] ?? "" };
  const answered = written.flatMap(({ answered, where }) =>
    answered.map((question, at): Asked => {
      const words = (where[at] ?? []).map(spaced);
      const isRight: Asked["isRight"] = ({ chunk }) => words.some((wanted) => spaced(chunk.text).includes(wanted));
      return { ...facts, question, isRight };
    }),
  );
  const without = written.flatMap(({ unanswered }) =>
    unanswered.map((question): Asked => ({ ...facts, question, isRight: null })),
  );
  return [answered, without].flatMap((list) => mixed(list, ({ question }) => question).slice(0, questionsOfKind));
}

/** Returns a section as a separate document. */
function sourceOf({ id, section }: Section, title: string, language: string): Source {
  const lines = section.split("\n").filter((line) => line.trim() !== "");
  const [first = "", ...rest] = lines;
  const hasHeading = rest.length > 0 && first.length < 90 && !/[.;,]$/.test(first);
  const text = [`# ${title}`, hasHeading ? `## ${first}` : first, ...rest].join("\n\n");
  return {
    file: `${id}.md`,
    manifest: null,
    facts: { market: markets[language] ?? "", language, document_type: "legal_note", key: id, title },
    read: async () => Buffer.from(text),
  };
}

interface Body {
  readonly name: string;
  readonly sources: Source[];
  readonly asked: readonly Asked[];
}

/** Yields every body with its questions. */
export function* heldBodies(): Generator<Body> {
  const read = <T extends { readonly id: string }>(name: string) =>
    byId(filesIn(name).flatMap((file) => rowsOf<T>(join(folder, name, file))));
  const titles = read<{ readonly id: string; readonly title: string }>("titles");
  const others = [read<Questions>("second"), read<Questions>("plain")];
  for (const [language, files] of Map.groupBy(filesIn("sections"), (file) => file.slice(0, 2))) {
    const held = files.flatMap((file) =>
      rowsOf<Section>(join(folder, "sections", file)).filter((_, at) => isHeldBack(at)),
    );
    const order = mixed(held, ({ id }) => id);
    for (let from = 0; from + sectionsOfBody <= order.length; from += sectionsOfBody) {
      const body = order.slice(from, from + sectionsOfBody);
      yield {
        name: `${language}-${from / sectionsOfBody + 1}`,
        sources: body.map((one) => sourceOf(one, titles.get(one.id)?.title ?? one.id, language)),
        asked: body.flatMap((one) => askedOf([one, ...others.flatMap((rows) => rows.get(one.id) ?? [])], language)),
      };
    }
  }
}
