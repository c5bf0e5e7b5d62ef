import { type Command, Option } from "commander";
import { operator } from "../accounts/admin/audit-context.ts";
import { documentTypes, provenances } from "../knowledge/corpus/corpus.ts";
import { ManifestError } from "../knowledge/corpus/manifest.ts";
import { type Source, sourcesAt } from "../knowledge/corpus/sources.ts";
import { starterSources } from "../knowledge/corpus/starter/index.ts";
import { second } from "../platform/clock.ts";
import { importDocuments, type Outcome } from "../products/insurance/importer.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { statGiven, unreadable } from "./file-trouble.ts";
import { importAlone } from "./import-lock.ts";
import { type Paths, pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";
import { machinePool } from "./services.ts";

interface Flags {
  readonly starter?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly market?: string;
  readonly carrier?: string;
  readonly productLine?: string;
  readonly documentType?: string;
  readonly provenance?: string;
  readonly language?: string;
}

/** Returns the files to import. Throws exit 2 for a path that can't be read and exit 1 for an invalid manifest. */
function sources(path: string | undefined, flags: Flags): readonly Source[] {
  if (flags.starter === true && path === undefined) return starterSources();
  if (path === undefined || flags.starter === true)
    throw new CommandError(2, "name a folder or a file, or --starter", "assay import insurance ./documents");
  statGiven(path);
  try {
    return sourcesAt(path);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw unreadable(error, path);
    const place = error.line === null ? "" : `, line ${error.line}`;
    throw new CommandError(1, `the manifest${place}: ${error.message}`, "Nothing was imported. See the guide: corpus.");
  }
}

const placeOf = ({ file, manifest }: Outcome): string =>
  manifest === null ? file : `${file} (${manifest.name}, line ${manifest.line})`;

/** Prints progress on stderr: each file on a terminal, otherwise at most one file or page a second. */
function progress(io: Io) {
  const { runtime } = io;
  let reported = runtime.elapsed();
  let current = "";
  const report = (line: string) => {
    reported = runtime.elapsed();
    io.err(line);
  };
  return {
    begun(file: string, at: number, of: number) {
      current = `${at} of ${of}: ${file}`;
      if (io.terminal || runtime.elapsed() - reported >= second) report(current);
    },
    page(page: number, pages: number) {
      if (runtime.elapsed() - reported >= second) report(`${current}, page ${page} of ${pages}`);
    },
    ended(outcome: Outcome) {
      for (const note of outcome.notes) io.err(`${placeOf(outcome)}: note: ${note}`);
      if (outcome.reason) io.err(`${placeOf(outcome)}: refused: ${outcome.reason.message}`);
    },
  };
}

const counted = (outcomes: readonly Outcome[]) => {
  const of = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status);
  return {
    files: outcomes.length,
    imported: of("imported").length,
    replaced: of("replaced").length,
    unchanged: of("unchanged").length,
    refused: of("refused").length,
    chunks: [...of("imported"), ...of("replaced")].reduce((sum, { chunks }) => sum + chunks, 0),
  };
};

/** Runs `work` until Ctrl-C stops it between two steps; a second one ends the process. Returns whether it stopped. */
async function isStopped(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const stop = () => interruption.abort();
  process.once("SIGINT", stop);
  try {
    await work(signal);
    return false;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return true;
    throw error;
  } finally {
    process.off("SIGINT", stop);
  }
}

/** Prints the report on stdout: all of it as JSON, otherwise the counts. */
function showReport(io: Io, flags: Flags, outcomes: readonly Outcome[], isInterrupted: boolean): void {
  const counts = counted(outcomes);
  const dry_run = flags.dryRun === true;
  if (flags.json) {
    printJson(io, { dry_run, interrupted: isInterrupted, ...counts, documents: outcomes });
    return;
  }
  const { imported, replaced, unchanged, refused, chunks } = counts;
  const done = `${imported} imported, ${replaced} replaced, ${unchanged} unchanged, ${refused} refused; ${chunks} passages`;
  io.out(dry_run ? `dry run, nothing was written: ${done}` : done);
}

/** Runs `work` without a lock, for a dry run, which writes nothing. */
const anyhow = <T>(_: Paths, work: () => Promise<T>): Promise<T> => work();

async function importInsurance(path: string | undefined, flags: Flags, context: Context): Promise<void> {
  const { io } = context;
  const paths = pathsOf(context.configure().settings);
  const found = sources(path, flags);
  if (found.length === 0) throw new CommandError(1, `there is nothing to import in ${path}`);
  const dryRun = flags.dryRun === true;
  const { market, carrier, productLine: product_line, documentType: document_type, provenance, language } = flags;
  const computing = machinePool(io.runtime);
  const outcomes: Outcome[] = [];
  const { ended, ...shown } = progress(io);
  const isInterrupted = await isStopped((signal) =>
    withStore(paths, (store) =>
      (dryRun ? anyhow : importAlone)(paths, () =>
        importDocuments({
          host: { store, runtime: io.runtime, computing, actor: operator, signal },
          sources: found,
          otherwise: Object.fromEntries(
            Object.entries({ market, carrier, product_line, document_type, provenance, language }).filter(
              ([, value]) => value !== undefined,
            ),
          ),
          dryRun,
          parallel: 1,
          ...shown,
          ended(outcome) {
            outcomes.push(outcome);
            ended(outcome);
          },
        }),
      ),
    ),
  );
  showReport(io, flags, outcomes, isInterrupted);
  if (isInterrupted)
    throw new CommandError(
      130,
      `Stopped: ${found.length - outcomes.length} of ${found.length} files were not read.`,
      "Import again: unchanged files are skipped.",
    );
  const refused = outcomes.filter(({ status }) => status === "refused").length;
  if (refused > 0)
    throw new CommandError(
      1,
      `${refused} of ${outcomes.length} files were refused`,
      "Correct them and import again: unchanged files are skipped.",
    );
}

/** `assay import insurance` */
export function registerInsuranceImport(command: Command, context: Context): void {
  command
    .command("insurance")
    .description("Import insurance documents (PDF, DOCX, HTML, Markdown, text) with their manifest or front matter")
    .argument("[path]", "a folder, or a file")
    .option("--starter", "import the sample documents and legal notes that come with the program")
    .option("--dry-run", "read and check everything, write nothing")
    .option("--market <code>", "country, or EU, of files that do not name theirs")
    .option("--carrier <name>", "carrier of files that do not name theirs")
    .option("--product-line <line>", "product line of files that do not name theirs")
    .addOption(
      new Option("--document-type <type>", "type of files that do not name theirs").choices([
        ...documentTypes,
        "legal_note",
      ]),
    )
    .addOption(new Option("--provenance <origin>", "provenance of files that do not name theirs").choices(provenances))
    .option(
      "--language <code>",
      "language (ISO 639-1) of files that do not name theirs (default: detected in the text)",
    )
    .option("--json", jsonHelp)
    .action((path: string | undefined, flags: Flags) => importInsurance(path, flags, context));
}
