import { sha256Hex } from "../../platform/ids.ts";
import { canonicalHash } from "../../platform/json.ts";
import { languageOf } from "../language/detect.ts";
import { type Extracted, type Format, type PageProgress, Refused } from "./blocks.ts";
import { type Chunk, chunk } from "./chunk.ts";
import { decodeText } from "./decode.ts";
import { extract, formatOf } from "./extract.ts";
import { checkFacts, type Declared, type Facts, familyOf, isLaw, namedFacts } from "./facts.ts";
import { splitFrontMatter } from "./markdown.ts";
import type { Source } from "./sources.ts";
import { type Section, structure } from "./structure.ts";

/** Goes up whenever files are read in another way: the same file is another document then, and is imported again. */
export const readingVersion = 3;

interface Known {
  readonly extracted: Extracted;
  readonly title: string;
  readonly language: string;
  readonly family: string;
  readonly characters: number;
}

export interface Prepared {
  readonly chunks: readonly Chunk[];
}

/** A file with its facts, and its way to chunks step by step; each step is done once. */
export interface Reading {
  readonly file: string;
  readonly format: Format;
  readonly facts: Facts;
  readonly content_sha256: string;
  /** Of content, facts and `readingVersion`. */
  readonly digest: string;
  extract(): Promise<Known>;
  structure(): Promise<readonly Section[]>;
  chunk(): Promise<Prepared>;
}

/** The facts at the top of a Markdown or text file. Throws `Refused` when they are no YAML. */
function frontMatter(format: Format, bytes: Uint8Array): Declared {
  if (format !== "markdown" && format !== "text") return {};
  const { front } = splitFrontMatter(decodeText(bytes));
  if (front === null) return {};
  try {
    const value: unknown = Bun.YAML.parse(front);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    throw new Refused("facts", "its front matter is not valid YAML");
  }
}

/** Does the work at the first call, and returns its result at each. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

const firstWords = (text: string): string => (text.length <= 160 ? text : "");

/**
 * Opens a file for the importer. Its facts are the manifest's, then those of its own front matter, then `otherwise`.
 * Throws `Refused` for a file that can't be opened, and for facts that are missing or wrong.
 */
export async function openReading(source: Source, otherwise: Declared, progress: PageProgress): Promise<Reading> {
  const { file } = source;
  const bytes = await source.read();
  const format = formatOf(file);
  if (format === undefined) throw new Refused("unsupported");
  const front = frontMatter(format, bytes);
  // Each under its own names first, so that a `country` of one counts before a `market` of the next.
  const own = { ...namedFacts(front).facts, ...namedFacts(source.facts).facts };
  const { product_line, ...common } = namedFacts(otherwise).facts;
  // A law among a carrier's documents still holds for all lines.
  const facts = checkFacts({ ...common, ...(!isLaw(own) && { product_line }), ...own });
  const content_sha256 = sha256Hex(bytes);
  const known = once(async (): Promise<Known> => {
    const extracted = await extract(file, bytes, progress);
    const text = extracted.blocks.map((block) => block.text).join("\n");
    if (!/[\p{L}\p{N}]/u.test(text)) throw new Refused("empty");
    const language = facts.language ?? languageOf(text) ?? extracted.language;
    if (language === null) throw new Refused("facts", "it lacks language, and its text does not show it");
    const title = facts.title ?? extracted.title ?? firstWords(extracted.blocks[0]?.text ?? "");
    if (title === "") throw new Refused("facts", "it lacks title, and its text has none");
    const cut = title.slice(0, 300);
    return { extracted, title: cut, language, family: familyOf(facts, cut, language), characters: text.length };
  });
  const sections = once(async () => {
    const { extracted } = await known();
    return structure(extracted.blocks, extracted.format);
  });
  return {
    file,
    format,
    facts,
    content_sha256,
    digest: canonicalHash({ content_sha256, facts, readingVersion }),
    extract: known,
    structure: sections,
    chunk: once(async () => chunk(await sections())),
  };
}
