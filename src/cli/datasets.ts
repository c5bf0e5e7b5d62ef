import type { Command } from "commander";
import type { TableFacts } from "../../db/datasets.ts";
import { currentDatasetVersion, datasetTablesOf, datasetVersions } from "../../db/queries/datasets.ts";
import { openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import type { Store } from "../../db/store.ts";
import { operator } from "../accounts/admin/audit-context.ts";
import { rfc3339 } from "../platform/clock.ts";
import { definitions } from "../products/datasets/definitions.ts";
import { type TableChange, tableChanges } from "../products/datasets/diff.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { rollBack, tableIds } from "../products/datasets/versions.ts";
import { look, show } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { importAlone } from "./import-lock.ts";
import { pathsOf } from "./installation.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

interface JsonFlag {
  readonly json?: boolean;
}

/** Returns a dataset's name. Throws exit 2 if there is no such dataset. */
function known(name: string): string {
  const names = definitions.map((one) => one.name);
  if (!names.includes(name)) throw new CommandError(2, `there is no dataset ${name}`, `Known: ${names.join(", ")}`);
  return name;
}

/** Returns a version's tables with their metadata; those of the current version if no number is given. */
async function tablesOf({ read }: Store, dataset: string, number?: number) {
  const current = await currentDatasetVersion.first(read, { dataset });
  const version =
    number === undefined ? current : (await datasetVersions(read, dataset)).find((one) => one.number === number);
  if (!version && (number ?? 0) !== 0)
    throw new CommandError(2, `${dataset} has no version ${number}`, `\`assay datasets list\` shows them.`);
  const ids = version ? tableIds(version) : [];
  const tables = (await datasetTablesOf(read, dataset)).filter(({ id }) => ids.includes(id));
  const shown = tables.map(({ facts_json, reading_json, created_at, dataset: _, ...table }) => ({
    ...table,
    imported_at: rfc3339(created_at),
    facts: JSON.parse(facts_json) as TableFacts,
    reading: JSON.parse(reading_json) as unknown,
  }));
  return { number: version?.number ?? 0, tables: shown };
}

function registerList(datasets: Command, context: Context): void {
  const { io } = context;
  datasets
    .command("list")
    .description("List datasets and their versions, newest first")
    .option("--json", jsonHelp)
    .action(async (flags: JsonFlag) => {
      const versions = await look(context, ({ read }) => datasetVersions(read));
      const rows = definitions.flatMap(({ name }) => {
        const own = versions.filter(({ dataset }) => dataset === name);
        const imported = own.map((one, i) => ({
          ...{ dataset: name, version: one.number, serves: i === 0, cause: one.cause as string },
          ...{ tables: tableIds(one).length, published_at: rfc3339(one.created_at) as string | null },
        }));
        const starter = {
          dataset: name,
          version: 0,
          serves: own.length === 0,
          cause: "starter",
          tables: 0,
          published_at: null,
        };
        return [...imported, starter];
      });
      const titles = ["DATASET", "VERSION", "CURRENT", "CAUSE", "TABLES", "PUBLISHED"];
      const cells = rows.map((one) => [
        one.dataset,
        one.version,
        one.serves ? "yes" : "",
        one.cause,
        one.tables,
        one.published_at,
      ]);
      show(io, flags.json, rows, grid(io, titles, cells));
    });
}

function registerShow(datasets: Command, context: Context): void {
  const { io } = context;
  datasets
    .command("show")
    .description(
      "Show a dataset's tables: publisher, licence, reliability, rows; every version includes the starter data",
    )
    .argument("<dataset>", "eu-data, distribution or germany")
    .option("--at <number>", "show this version (default: the current one)", wholeNumber)
    .option("--json", jsonHelp)
    .action(async (name: string, flags: JsonFlag & { at?: number }) => {
      const { number, tables } = await look(context, (store) => tablesOf(store, known(name), flags.at));
      const rows = tables.map(({ name: table, facts, file, records, refused }) => [
        ...[
          table,
          facts.publisher,
          facts.code,
          facts.retrieved,
          facts.licence,
          facts.reliability,
          records,
          refused,
          file,
        ],
      ]);
      const titles = "TABLE PUBLISHER CODE RETRIEVED LICENCE LABEL RECORDS REFUSED FILE".split(" ");
      show(io, flags.json, { dataset: name, version: number, tables }, [
        `${name}, version ${number}`,
        ...grid(io, titles, rows),
      ]);
    });
}

function sentence({ name, change, figures, rows }: TableChange): string {
  const counted = figures ?? rows;
  if (!counted) return `${name}: ${change}`;
  const { added, removed, changed } = counted;
  return `${name}: ${change}; ${added} ${rows ? "rows" : "figures"} added, ${removed} removed, ${changed} changed`;
}

function registerDiff(datasets: Command, context: Context): void {
  const { io } = context;
  datasets
    .command("diff")
    .description("Show what changed between two versions")
    .argument("<dataset>", "eu-data, distribution or germany")
    .argument("<from>", "a version's number", wholeNumber)
    .argument("<to>", "a version's number", wholeNumber)
    .option("--json", jsonHelp)
    .action(async (name: string, from: number, to: number, flags: JsonFlag) => {
      const folder = new DatasetFolder(pathsOf(context.configure().settings).datasets);
      const changes = await look(context, async (store) => {
        const [before, after] = [await tablesOf(store, known(name), from), await tablesOf(store, name, to)];
        return tableChanges(before.tables, after.tables, (id) => openDatasetFile(folder.fileOf(id)));
      });
      const lines = changes.length === 0 ? ["no difference"] : changes.map(sentence);
      show(io, flags.json, { dataset: name, from, to, tables: changes }, lines);
    });
}

function registerRollback(datasets: Command, context: Context): void {
  const { io } = context;
  datasets
    .command("rollback")
    .description("Publish an earlier version again; a running server uses it at once")
    .argument("<dataset>", "eu-data, distribution or germany")
    .option(
      "--to <number>",
      "the version (default: the one before the current one); 0 is the starter data",
      wholeNumber,
    )
    .option("--json", jsonHelp)
    .action(async (name: string, flags: JsonFlag & { to?: number }) => {
      const paths = pathsOf(context.configure().settings);
      const folder = new DatasetFolder(paths.datasets);
      const published = await look(context, (store) =>
        importAlone(paths, async () => {
          const { number, tables: _ } = await tablesOf(store, known(name));
          if (number === 0 && flags.to === undefined)
            throw new CommandError(2, `${name} has no version before the starter data`, "Import a version first.");
          const to = flags.to ?? number - 1;
          const { tables } = await tablesOf(store, name, to);
          const missing = tables.find(({ id }) => !folder.has(id));
          if (missing)
            throw new CommandError(1, `the rows of ${missing.name} are missing`, `Import ${missing.file} again.`);
          const change = { actor: operator, at: io.runtime.now() };
          return { to, version: await rollBack(store, name, Math.max(to, 0), change) };
        }),
      );
      const { to, version } = published;
      if (version === undefined)
        throw new CommandError(2, `${name} has no version ${to}`, "`assay datasets list` shows them.");
      show(io, flags.json, { dataset: name, version, as: to }, [
        `${name}: version ${version} is now current, with the data of version ${to}`,
      ]);
    });
}

/** `assay datasets …`: imported datasets and rollback. A running server sees a change at once. */
export function register(program: Command, context: Context): void {
  const datasets = program.command("datasets").description("List, compare and roll back imported datasets");
  registerList(datasets, context);
  registerShow(datasets, context);
  registerDiff(datasets, context);
  registerRollback(datasets, context);
}
