import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reading } from "../../../src/contracts/meaning.ts";
import { type Assessment, assess } from "../../../src/knowledge/faithfulness/assess.ts";
import type { Material } from "../../../src/knowledge/faithfulness/evaluate-claim.ts";
import { Model } from "../../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { dataSets, readRows } from "./dataset.ts";
import { foldOf, heldBack } from "./evaluate.ts";

/** A labelled answer whose claims the reader has read. */
export interface Judged {
  readonly set: string;
  /** Its source document. */
  readonly group: string;
  readonly faithful: boolean;
  readonly assessment: Assessment;
  readonly readings: readonly (Reading | null)[];
}

/** One in this many sources of hand-written claims is held back from the reader; `claims.py` leaves out the same. */
const examples = { folder: "examples", set: "written", isHeldBack: (line: number) => line % 7 === 3 };
const twinned = { folder: "claims", set: "twins", isHeldBack: (line: number) => line % 9 === 4 };
const later = { folder: "later", set: "written", isHeldBack: () => true };
const kinds = [
  ["true", true],
  ["unsaid", false],
  ["denied", false],
] as const;

interface Labelled extends Pick<Judged, "set" | "group" | "faithful"> {
  readonly material: Material;
}

/** Yields the held-back claims on hand-written sources. If a source has no question, the claim serves as its own. */
function* claimsIn({ folder, set, isHeldBack }: typeof examples): Generator<Labelled> {
  const path = join(import.meta.dir, "../meaning", folder);
  const files = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
  for (const file of files.sort())
    for (const [at, line] of readFileSync(join(path, file), "utf8").trim().split("\n").entries()) {
      if (!isHeldBack(at)) continue;
      const { source, asks = [], ...said } = JSON.parse(line);
      for (const [kind, faithful] of kinds)
        for (const answer of said[kind]) {
          const material = { question: asks[0] ?? answer, answer, sources: [source] };
          yield { set: `${set}-${file.slice(0, 2)}`, group: source, faithful, material };
        }
    }
}

export const written = (): Generator<Labelled> => claimsIn(examples);

/** Returns the claims that were used only to choose a threshold. */
export const writtenLater = (): Generator<Labelled> => claimsIn(later);

function* labelled(folder: string): Generator<Labelled> {
  for (const set of dataSets)
    for (const row of readRows(folder, set))
      if (foldOf(row.group) < heldBack) yield { set, group: row.group, faithful: row.faithful, material: row };
}

/** Reads the answers that the reader was not trained on. `work` caches the readings; `version` is the weights' hash. */
export async function readExamples(data: string, work: string): Promise<{ version: string; judged: Judged[] }> {
  if (weightFiles === null) throw new Error("the weights of the meaning models are missing");
  const model = await Model.load(weightFiles);
  const version = new Bun.CryptoHasher("sha256").update(readFileSync(weightFiles.reader)).digest("hex");
  const file = join(work, "readings.json");
  const cache: Record<string, Reading> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const judged: Judged[] = [];
  for (const { material, ...one } of [...written(), ...claimsIn(twinned), ...labelled(data)]) {
    const assessment = assess(material);
    const readings: (Reading | null)[] = [];
    for (const { toRead } of assessment.claims) {
      const key = toRead && Bun.hash(`${version}\n${toRead.text}\n${toRead.passage}`).toString(36);
      if (key) cache[key] ??= await model.read(toRead.text, toRead.passage);
      readings.push(key ? (cache[key] ?? null) : null);
    }
    judged.push({ ...one, assessment, readings });
  }
  writeFileSync(file, JSON.stringify(cache));
  return { version, judged };
}
