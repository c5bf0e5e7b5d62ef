import { liveVersion } from "../../../db/queries/documents.ts";
import type { DocumentTable } from "../../../db/schema/corpus-tables.ts";
import { type RefusalCode, Refused } from "../../knowledge/corpus/blocks.ts";
import { type Declared, unknownFacts } from "../../knowledge/corpus/facts.ts";
import { openReading, type Reading } from "../../knowledge/corpus/reading.ts";
import type { Source } from "../../knowledge/corpus/sources.ts";
import { type Importing, ingest, liveTwin } from "./ingest.ts";

/**
 * The result for a file. `replaced`: an existing document of the same version had different content and was replaced.
 */
export interface Outcome {
  readonly file: string;
  readonly manifest: Source["manifest"];
  readonly status: "imported" | "replaced" | "unchanged" | "refused";
  /** `null` in a dry run, and if the file was refused before it became a document. */
  readonly document_id: string | null;
  readonly title: string | null;
  readonly version: string | null;
  readonly language: string | null;
  readonly pages: number | null;
  readonly chunks: number;
  /** Why it was refused; `null` if it was not. */
  readonly reason: { readonly code: RefusalCode; readonly message: string } | null;
  readonly notes: readonly string[];
}

export interface ImportOptions {
  readonly host: Importing;
  readonly sources: readonly Source[];
  /** Default facts for files that do not state them. */
  readonly otherwise: Declared;
  /** Do everything except write. */
  readonly dryRun: boolean;
  /** Number of files read concurrently with shared commits; 1 keeps reports in order. */
  readonly parallel: number;
  /** Called before each file, with its position from 1. */
  begun(file: string, at: number, of: number): void;
  /** While a file's pages are read. */
  page(page: number, pages: number): void;
  ended(outcome: Outcome): void;
}

const nothing = {
  document_id: null,
  title: null,
  version: null,
  language: null,
  pages: null,
  chunks: 0,
  reason: null,
  notes: [],
} as const;

const placeOf = ({ file, manifest }: Source) => ({ file, manifest });

const refusal = (source: Source, { code, message }: Refused): Outcome => ({
  ...nothing,
  ...placeOf(source),
  status: "refused",
  reason: { code, message },
});

const reported = ({ id, title, version, language, pages, chunks }: DocumentTable) => ({
  document_id: id,
  title,
  version,
  language,
  pages,
  chunks,
});

/** Returns notes on unknown facts, from the manifest and from the file itself. */
const notesOf = ({ facts }: Source, { notes }: Reading): string[] => [...unknownFacts(facts, "the manifest"), ...notes];

/** Returns a note if another file's document is replaced: two documents may have the same title by mistake. */
const replacedBy = ({ file }: Source, before: DocumentTable | undefined): string[] =>
  before && before.file !== file
    ? [`it replaces ${before.file}, which has the same title and version and ${before.chunks} passages`]
    : [];

/** One run of the importer. Tracks the versions seen, since two files can't be the same version. */
class Run {
  private readonly seen = new Map<string, string>();

  constructor(private readonly options: ImportOptions) {}

  async file(source: Source): Promise<Outcome> {
    try {
      return await this.opened(source);
    } catch (error) {
      if (error instanceof Refused) return refusal(source, error);
      throw error;
    }
  }

  private async opened(source: Source): Promise<Outcome> {
    const { host, otherwise, dryRun, page } = this.options;
    const { computing, signal } = host;
    const reading = await openReading(source, otherwise, { computing, progress: page, signal });
    const twin = await liveTwin(host.store.read, reading.digest);
    if (twin) {
      this.claim(`${twin.family} ${twin.version}`, source.file);
      return {
        ...placeOf(source),
        ...reported(twin),
        status: "unchanged",
        reason: null,
        notes: notesOf(source, reading),
      };
    }
    if (dryRun) return this.rehearsed(source, reading);
    const { notes: found, family } = await reading.read().catch((error: unknown) => this.settle(reading, error));
    this.claim(`${family} ${reading.facts.version}`, source.file);
    const before = await liveVersion(host.store.read, family, reading.facts.version);
    const { document, refused } = await ingest(host, reading);
    if (refused) return refusal(source, refused);
    const notes = [...notesOf(source, reading), ...found, ...replacedBy(source, before)];
    return { ...placeOf(source), ...reported(document), status: before ? "replaced" : "imported", reason: null, notes };
  }

  /** Stores an unreadable file as a refused document, which `assay doctor` counts until it is repaired. */
  private async settle(reading: Reading, error: unknown): Promise<never> {
    if (error instanceof Refused) await ingest(this.options.host, reading);
    throw error;
  }

  private async rehearsed(source: Source, reading: Reading): Promise<Outcome> {
    const { pages, notes, title, language, family, chunks } = await reading.read();
    this.claim(`${family} ${reading.facts.version}`, source.file);
    if (chunks.length === 0) throw new Refused("empty");
    const before = await liveVersion(this.options.host.store.read, family, reading.facts.version);
    return {
      ...nothing,
      ...placeOf(source),
      status: before ? "replaced" : "imported",
      title,
      version: reading.facts.version,
      language,
      pages,
      chunks: chunks.length,
      notes: [...notesOf(source, reading), ...notes, ...replacedBy(source, before)],
    };
  }

  private claim(identity: string, file: string): void {
    const other = this.seen.get(identity);
    if (other !== undefined) throw new Refused("duplicate", `${other} is the same version of the same document`);
    this.seen.set(identity, file);
  }
}

/**
 * Imports files for the command line. Unchanged ones are skipped, so an interrupted import can simply be repeated.
 * Returns the outcomes in order; throws only errors that are not a file's fault, such as a full disk or a stop.
 */
export async function importDocuments(options: ImportOptions): Promise<Outcome[]> {
  const { sources, parallel } = options;
  const run = new Run(options);
  const outcomes: Outcome[] = [];
  const waiting = [...sources.entries()];
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      options.host.signal?.throwIfAborted();
      const [i, source] = next;
      options.begun(source.file, i + 1, sources.length);
      const outcome = await run.file(source);
      options.ended(outcome);
      outcomes[i] = outcome;
    }
  };
  await Promise.all(Array.from({ length: parallel }, take));
  return outcomes;
}
