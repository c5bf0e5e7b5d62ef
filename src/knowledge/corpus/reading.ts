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

/** Goes up whenever files are read in another way: the same file is another document then, and is imported again. */
export const readingVersion = 5;

/** A file with its facts, and what is in it. */
export interface Reading {
  readonly file: string;
  readonly format: Format;
  readonly facts: Facts;
  readonly content_sha256: string;
  /** Of content, facts and `readingVersion`. */
  readonly digest: string;
  /** On facts of its own that are not known here. */
  readonly notes: readonly string[];
  /** Reads it, once. Throws `Refused`. */
  read(): Promise<DocumentText>;
}

/** Where files are read. */
export interface Reader {
  readonly computing: Computing;
  readonly progress: PageProgress;
  /** Its abort ends reading: then that is thrown, and no `Refused`. */
  readonly signal?: AbortSignal | undefined;
}

/** Characters that facts at the top of a file may have: they are parsed in the event loop. */
const frontMatterAtMost = 16_384;

/** What the computing pool refused, as a reason for the file. */
function asRefused(error: unknown): never {
  if (error instanceof EngineError) throw new Refused("too_large", error.message);
  throw error;
}

const askedFor = ({ progress, signal }: Reader): Asked => ({
  firm: "operator",
  advanced: progress,
  ...(signal && { signal }),
});

/** The facts at the top of a Markdown or text file. Throws `Refused` when they are no YAML. */
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

/** Does the work at the first call, and returns its result at each. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Reads a file in a thread of the pool. */
async function readIn(reader: Reader, input: DocumentFile): Promise<DocumentText> {
  const read = await reader.computing.run(documentReading, input, askedFor(reader)).catch(asRefused);
  if ("refused" in read) throw new Refused(read.refused.code, read.refused.message);
  return read;
}

/**
 * Opens a file for the importer. Its facts are the manifest's, then those of its own front matter, then `otherwise`.
 * Throws `Refused` for a file that can't be opened, and for facts that are missing or wrong.
 */
export async function openReading(source: Source, otherwise: Declared, reader: Reader): Promise<Reading> {
  const { file } = source;
  const read = await source.read();
  const bytes = read.length > large ? shareable(read) : read;
  const format = formatOf(file);
  if (format === undefined) throw new Refused("unsupported");
  const front = await frontMatter(format, bytes, reader);
  // Each under its own names first, so that a `country` of one counts before a `market` of the next.
  const own = { ...namedFacts(front).facts, ...namedFacts(source.facts).facts };
  const { product_line, ...common } = namedFacts(otherwise).facts;
  // A law among a carrier's documents still holds for all lines.
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
