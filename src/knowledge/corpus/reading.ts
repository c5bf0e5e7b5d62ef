import type { Asked, Computing } from "../../contracts/computing.ts";
import { EngineError } from "../../contracts/engine.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { canonicalHash } from "../../platform/json.ts";
import { type Format, type PageProgress, Refused } from "./blocks.ts";
import {
  type DocumentFile,
  type DocumentText,
  documentReading,
  frontMatterReading,
  large,
  shareable,
} from "./computation.ts";
import { formatOf } from "./extract.ts";
import { checkFacts, type Declared, type Facts, isLaw, namedFacts, unknownFacts } from "./facts.ts";
import { frontMatterOf } from "./front-matter.ts";
import type { Source } from "./sources.ts";

/** Incremented whenever files are read differently, so that unchanged files are imported again. */
export const readingVersion = 5;

/** An opened file with its facts, which reads the content on demand. */
export interface Reading {
  readonly file: string;
  readonly format: Format;
  readonly facts: Facts;
  readonly content_sha256: string;
  /** Hash of content, facts and `readingVersion`. */
  readonly digest: string;
  /** Warnings about unknown facts in the file's front matter. */
  readonly notes: readonly string[];
  /** Reads the file, once. Throws `Refused`. */
  read(): Promise<DocumentText>;
}

/** The resources for reading files. */
export interface Reader {
  readonly computing: Computing;
  readonly progress: PageProgress;
  /** Aborts reading. Its reason is then thrown, not `Refused`. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum length of front matter in characters, because it is parsed on the event loop. */
const frontMatterAtMost = 16_384;

/** Turns a refusal by the computing pool into a refusal of the file. */
function asRefused(error: unknown): never {
  if (error instanceof EngineError) throw new Refused("too_large", error.message);
  throw error;
}

const askedFor = ({ progress, signal }: Reader): Asked => ({
  firm: "operator",
  advanced: progress,
  ...(signal && { signal }),
});

/** Returns the front matter of a Markdown or text file. Throws `Refused` if it is not valid YAML. */
async function frontMatter(format: Format, bytes: Uint8Array, reader: Reader): Promise<Declared> {
  if (format !== "markdown" && format !== "text") return {};
  const front =
    bytes.length > large
      ? await reader.computing.run(frontMatterReading, bytes, askedFor(reader)).catch(asRefused)
      : frontMatterOf(bytes);
  if (front === null) return {};
  if (front.length > frontMatterAtMost) throw new Refused("facts", "its front matter is too long");
  try {
    const value: unknown = Bun.YAML.parse(front);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    throw new Refused("facts", "its front matter is not valid YAML");
  }
}

/** Returns a function that does the work on its first call and returns the same result on each. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Reads a file in a worker thread of the pool. */
async function readIn(reader: Reader, input: DocumentFile): Promise<DocumentText> {
  const read = await reader.computing.run(documentReading, input, askedFor(reader)).catch(asRefused);
  if ("refused" in read) throw new Refused(read.refused.code, read.refused.message);
  return read;
}

/**
 * Opens a file for the importer. Facts from the manifest take precedence over the file's front matter, and that over
 * `otherwise`. Throws `Refused` if the file can't be opened or if facts are missing or invalid.
 */
export async function openReading(source: Source, otherwise: Declared, reader: Reader): Promise<Reading> {
  const { file } = source;
  const read = await source.read();
  const bytes = read.length > large ? shareable(read) : read;
  const format = formatOf(file);
  if (format === undefined) throw new Refused("unsupported");
  const front = await frontMatter(format, bytes, reader);
  // Aliases are resolved per source first, so that a `country` in one overrides a `market` in the next.
  const own = { ...namedFacts(front).facts, ...namedFacts(source.facts).facts };
  const { product_line, ...common } = namedFacts(otherwise).facts;
  // The default line does not apply to a law among a carrier's documents: a law still covers all lines.
  const facts = checkFacts({ ...common, ...(!isLaw(own) && { product_line }), ...own });
  const content_sha256 = source.content_sha256 ?? sha256Hex(read);
  return {
    file,
    format,
    facts,
    content_sha256,
    digest: canonicalHash({ content_sha256, facts, readingVersion }),
    notes: unknownFacts(front, "its front matter"),
    read: once(() => readIn(reader, { file, bytes, facts })),
  };
}
