import type { Command } from "commander";
import type { BuildStage } from "../knowledge/retrieval/builder.ts";
import { indexFileSize, readIndexFile } from "../knowledge/retrieval/file.ts";
import { createCorpus, type IndexedCorpus } from "../knowledge/retrieval/service.ts";
import { second } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";
import { searchServices } from "./services.ts";

const stages: Readonly<Record<BuildStage, string>> = {
  reading: "reading passages",
  words: "indexing words",
  vectors: "computing vectors",
  done: "writing the file",
};

/** Prints a line at each new stage and, within a stage, at most once a second. */
function progress(io: Io): (stage: BuildStage, chunks: number) => void {
  const { runtime } = io;
  let reported = 0;
  let last: BuildStage | undefined;
  return (stage, chunks) => {
    if (stage === last && runtime.elapsed() - reported < second) return;
    reported = runtime.elapsed();
    last = stage;
    io.err(chunks > 0 ? `${stages[stage]}: ${chunks}` : stages[stage]);
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** An installation's corpus and the path of its index. */
interface Opened {
  readonly corpus: IndexedCorpus;
  readonly file: string;
}

async function rebuild({ corpus, file }: Opened, io: Io, json: boolean): Promise<void> {
  const began = io.runtime.elapsed();
  const { documents, chunks, version, vectors } = await corpus.rebuild(progress(io));
  const bytes = await indexFileSize(file);
  const seconds = Number(((io.runtime.elapsed() - began) / second).toFixed(1));
  if (json) printJson(io, { documents, chunks, version, vectors, bytes, seconds });
  else io.out(`${documents} documents, ${chunks} passages, ${megabytes(bytes ?? 0)}, in ${seconds} s`);
}

type Usability = "current" | "old" | "missing" | "unusable";

const advice: Readonly<Record<Usability, string>> = {
  current: "",
  old: "The corpus has changed since. A running server updates the index at the next question; or run `assay index rebuild`.",
  missing: "It is built at the first question, or by `assay index rebuild`.",
  unusable: "It is rebuilt at the next question, or by `assay index rebuild`.",
};

async function statusOf({ corpus, file }: Opened) {
  const corpus_version = await corpus.version();
  const bytes = await indexFileSize(file);
  try {
    const meta = (await readIndexFile(file))?.meta;
    const state: Usability = meta === undefined ? "missing" : meta.version === corpus_version ? "current" : "old";
    const { documents = 0, chunks = 0, terms = 0, vectors = null, version = null } = meta ?? {};
    const { unread } = await corpus.state();
    return { file, state, reason: null, documents, chunks, unread, terms, vectors, version, corpus_version, bytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const nothing = { documents: 0, chunks: 0, unread: 0, terms: 0, vectors: null, version: null };
    return { file, state: "unusable" as const, reason, ...nothing, corpus_version, bytes };
  }
}

async function status(opened: Opened, io: Io, json: boolean): Promise<void> {
  const found = await statusOf(opened);
  if (json) printJson(io, found);
  else {
    io.out(`${found.file}: ${found.state}${found.reason === null ? "" : ` (${found.reason})`}`);
    if (found.version !== null)
      io.out(
        `${found.documents} documents, ${found.chunks} passages, ${found.terms} words, ${megabytes(found.bytes ?? 0)}; vectors: ${found.vectors}; corpus version ${found.version} of ${found.corpus_version}`,
      );
    if (found.unread > 0)
      io.out(
        `${found.unread} passages have not been read by the meaning models yet. A running server reads some every second after its first question; until then, answers may miss passages that use other words.`,
      );
    if (advice[found.state] !== "") io.out(advice[found.state]);
  }
  if (found.state === "unusable") throw new CommandError(1, "the search index can't be used", advice.unusable);
}

/** `assay index …`: the search index over the insurance documents. A server may be running. */
export function register(program: Command, { io, configure }: Context): void {
  const command = program
    .command("index")
    .description("Rebuild or inspect the search index of the insurance documents");
  const add = (name: string, description: string, work: (opened: Opened, io: Io, json: boolean) => Promise<void>) =>
    command
      .command(name)
      .description(description)
      .option("--json", jsonHelp)
      .action(async (flags: { json?: boolean }) => {
        const { settings } = configure();
        const paths = pathsOf(settings);
        const log = createLog(io.runtime, "warn", (line) => io.err(line.trimEnd()));
        await withStore(paths, ({ read: db }) => {
          const corpus = createCorpus(searchServices({ runtime: io.runtime, log, settings, db, paths }).corpus);
          return work({ corpus, file: paths.insuranceIndex }, io, flags.json === true);
        });
      });
  add("rebuild", "Rebuild the index from the documents in the database", rebuild);
  add("status", "Show what the index contains and whether it is up to date", status);
}
