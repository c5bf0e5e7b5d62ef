import { existsSync, realpathSync } from "node:fs";
import type { Command } from "commander";
import { operator } from "../accounts/admin/audit-context.ts";
import { second } from "../platform/clock.ts";
import { tryWriting, writeDurably } from "../platform/files.ts";
import { type DatasetDefinition, definitions, type RowKind } from "../products/datasets/definitions.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import {
  type ImportedFile,
  type ImportOutcome,
  type ImportSource,
  importFiles,
} from "../products/datasets/importer.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { datasetSources } from "./dataset-sources.ts";
import { unwritable } from "./file-trouble.ts";
import { importAlone } from "./import-lock.ts";
import { pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";

interface Flags {
  readonly mapping?: string;
  readonly dryRun?: boolean;
  readonly acceptRefused?: boolean;
  readonly report?: string;
  readonly json?: boolean;
}

/** Maximum number of refused rows printed. A report lists all of them. */
const shownRows = 20;

/** Returns a callback that prints the number of rows read on stderr, at most once a second. */
function progressOn({ runtime, err }: Io) {
  let reported = runtime.elapsed();
  return (file: string, rows: number) => {
    if (runtime.elapsed() - reported < second) return;
    reported = runtime.elapsed();
    err(`${file}: ${rows.toLocaleString("en")} rows read`);
  };
}

const placeOf = ({ line, column }: ImportedFile["refused"][number]): string =>
  `line ${line}${column === null ? "" : `, ${column}`}`;

/** Formats a count with its noun, such as `1 row` or `2 rows`. */
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

function tell(io: Io, kind: RowKind, { file, staged, reason, refused }: ImportedFile): void {
  if (staged) {
    const { facts, reading, records, rows, refused_rows } = staged;
    const decided = Object.entries(reading.decided).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    io.out(
      `${file}: ${facts.name}, ${facts.publisher}, reliability ${facts.reliability}; ${reading.format}, ${decided.join(", ")}`,
    );
    const taken = counted(records, kind === "figures" ? "figure" : "row");
    io.out(`  ${taken} imported, ${refused_rows} of ${counted(rows, "row")} refused in whole or in part`);
    for (const note of reading.notes) io.err(`${file}: note: ${note}`);
  }
  for (const row of refused.slice(0, shownRows))
    io.err(`${file}, ${placeOf(row)}: refused (${row.code}): ${row.reason}`);
  if (refused.length > shownRows)
    io.err(`${file}: ${refused.length - shownRows} more refused rows; --report FILE lists all of them`);
  if (reason) io.err(`${file}: refused (${reason.code}): ${reason.message}. ${reason.hint}`);
}

/** Returns the report, with one line of JSON per refused row. */
const reportOf = (files: readonly ImportedFile[]): string =>
  files.flatMap(({ file, refused }) => refused.map((row) => `${JSON.stringify({ file, ...row })}\n`)).join("");

/** Throws, before anything is published, if the report could not be written or would overwrite an imported file. */
async function checkReport(report: string, sources: readonly ImportSource[]): Promise<void> {
  if (report === "") throw new CommandError(2, "--report needs the name of a file");
  if (existsSync(report) && sources.some(({ file }) => realpathSync(file) === realpathSync(report)))
    throw new CommandError(2, `--report would overwrite ${report}, which is imported`, "Name another file.");
  try {
    await tryWriting(report);
  } catch (error) {
    throw unwritable(error, `the report can't be written to ${report}`);
  }
}

/** Writes the report. If that fails, throws exit 1 with a hint that says what was published. */
async function writeReport(name: string, { files, version }: ImportOutcome, report: string): Promise<void> {
  try {
    await writeDurably(report, reportOf(files), { mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      1,
      `the report could not be written to ${report}: ${reason}`,
      version === null
        ? "Nothing was published."
        : `The data were published: ${name}, version ${version}. --dry-run writes the report alone.`,
    );
  }
}

/** Prints the outcome on stdout. */
function showOutcome(io: Io, { name, kind }: DatasetDefinition, { files, version }: ImportOutcome, flags: Flags): void {
  if (flags.json) {
    printJson(io, { dataset: name, dry_run: flags.dryRun === true, version, files });
    return;
  }
  for (const file of files) tell(io, kind, file);
  if (flags.dryRun) io.out("dry run, nothing was written");
  else if (version !== null) io.out(`${name}: version ${version} is now current`);
}

/** Throws exit 1 if a file was refused or, without `--accept-refused`, a row. A dry run exits as the import would. */
function failIfRefused(name: string, { files }: ImportOutcome, flags: Flags): void {
  const refusedRows = files.reduce((sum, { refused }) => sum + refused.length, 0);
  const refusedFiles = files.filter(({ reason }) => reason !== null).length;
  if (refusedFiles > 0)
    throw new CommandError(
      1,
      `${refusedFiles} of ${counted(files.length, "file")} refused, so nothing was published`,
      "The version published before stays current.",
    );
  if (refusedRows > 0 && flags.acceptRefused !== true)
    throw new CommandError(
      1,
      flags.dryRun
        ? `${counted(refusedRows, "row")} would be refused`
        : `${counted(refusedRows, "row")} refused; the others were published`,
      flags.dryRun
        ? "Correct them, or import the file without them."
        : `Correct them and import again, or go back: assay datasets rollback ${name}`,
    );
}

async function importDataset(
  definition: DatasetDefinition,
  path: string,
  flags: Flags,
  context: Context,
): Promise<void> {
  const { io } = context;
  const paths = pathsOf(context.configure().settings);
  const sources = await datasetSources(path, flags.mapping);
  if (flags.report !== undefined) await checkReport(flags.report, sources);
  const dryRun = flags.dryRun === true;
  const outcome = await withStore(paths, (store) =>
    importAlone(paths, () =>
      importFiles({
        ...{ runtime: io.runtime, store, folder: new DatasetFolder(paths.datasets), definition, sources, dryRun },
        ...{ actor: operator, acceptRefused: flags.acceptRefused === true, progress: progressOn(io) },
      }),
    ),
  );
  showOutcome(io, definition, outcome, flags);
  if (flags.report !== undefined) await writeReport(definition.name, outcome, flags.report);
  failIfRefused(definition.name, outcome, flags);
}

/** `assay import eu-data`, `assay import distribution` */
export function registerDatasetImports(command: Command, context: Context): void {
  for (const definition of definitions)
    command
      .command(definition.name)
      .description(
        `Import ${definition.about}: SDMX (CSV, ML, JSON), bulk TSV, JSON-stat, or CSV and XLSX with a mapping`,
      )
      .argument("<path>", "a file, or a folder whose files become one version")
      .option("--mapping <file>", "YAML file that describes the columns of a CSV or XLSX file")
      .option("--dry-run", "read and check everything, publish nothing")
      .option("--accept-refused", "publish the rest and exit with 0, however many rows are refused")
      .option("--report <file>", "write every refused row, with line and reason, as JSON lines")
      .option("--json", jsonHelp)
      .action((path: string, flags: Flags) => importDataset(definition, path, flags, context));
}
