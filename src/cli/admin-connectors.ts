import { Argument, type Command } from "commander";
import { connectorOf, connectorsOf } from "../../db/queries/connectors.ts";
import type { ConnectorTable } from "../../db/schema/job-tables.ts";
import type { FirmTable } from "../../db/schema/tables.ts";
import type { Db, Store } from "../../db/store.ts";
import { addConnector, removeConnector, type Taken } from "../accounts/admin/connectors.ts";
import { connectorView, manifestOf } from "../accounts/admin/views.ts";
import { type Configuration, privateHostsOf } from "../config/settings.ts";
import { createOutbound } from "../integrations/outbound/guard.ts";
import { createLog } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import { benchNoop } from "../products/capabilities/bench-noop/manifest.ts";
import { capabilities } from "../products/capabilities/index.ts";
import { stepEngines } from "../products/capabilities/steps.ts";
import { readManifest } from "../products/connectors/file.ts";
import type { ConnectorManifest } from "../products/connectors/schema.ts";
import { type Trial, tryConnector } from "../products/connectors/trial.ts";
import { ManifestError } from "../products/connectors/yaml.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { platformGate } from "../registry/registry.ts";
import { change, firmOf, look, show, unknownIn } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { readGiven } from "./file-trouble.ts";
import { pathsOf, readMasterKey } from "./installation.ts";
import { CommandError, decoded, type Io } from "./io.ts";
import { engineServices } from "./services.ts";
import { grid } from "./table.ts";

interface Flags {
  readonly firm?: string;
  readonly json?: boolean;
}

/** Reserved slugs and tool names, which no connector may use. */
const taken: Taken = {
  slugs: [
    platformGate,
    benchNoop.slug,
    ...Object.keys(stepEngines),
    ...capabilities.map((capability) => capability.slug),
    ...useCases.map((useCase) => useCase.slug),
  ],
  tools: capabilities.flatMap((capability) => capability.tools.map((tool) => tool.name)),
};

const readText = (file: string): string => decoded(readGiven(file), file);

function manifestIn(runtime: Runtime, file: string, { settings }: Configuration): ConnectorManifest {
  const { checkUrl } = createOutbound({ runtime, allow_private: privateHostsOf(settings) });
  try {
    return readManifest(readText(file), checkUrl);
  } catch (error) {
    if (error instanceof ManifestError)
      throw new CommandError(2, [`${file} is not a valid manifest`, ...error.lines].join("\n  "));
    throw error;
  }
}

function masterKeyOf({ settings }: Configuration): Uint8Array {
  const key = readMasterKey(settings, pathsOf(settings));
  if (key) return key;
  throw new CommandError(1, "there is no master key yet", "Start the server once, or set master_key.");
}

async function secretOnStdin(io: Io): Promise<string> {
  const secret = (await io.stdin()).replace(/\r?\n$/, "");
  if (/^[\x21-\x7e]{16,4096}$/.test(secret)) return secret;
  throw new CommandError(2, "the secret on stdin must have 16 to 4096 visible ASCII characters");
}

/** Returns the firm's connector. Throws exit 2 if there is none. */
async function present(db: Db, firm: FirmTable, slug: string): Promise<ConnectorTable> {
  const row = await connectorOf(db, firm.id, slug);
  if (row) return row;
  throw unknownIn(firm, "connectors", `connector ${slug}`);
}

function registerAdd(group: Command, context: Context): void {
  group
    .command("add")
    .description("Add a capability that only the firm has, served by an HTTPS endpoint or an MCP server")
    .addArgument(new Argument("<manifest>", "a YAML file"))
    .option("--firm <firm>", "id or slug")
    .option("--replace", "replace the firm's connector with the same slug")
    .option("--secret-stdin", "read the signing secret or the MCP server's token from stdin")
    .option("--json", jsonHelp)
    .action(async (file: string, flags: Flags & { replace?: true; secretStdin?: true }) => {
      const configuration = context.configure();
      const manifest = manifestIn(context.io.runtime, file, configuration);
      const masterKey = masterKeyOf(configuration);
      const secret = flags.secretStdin ? await secretOnStdin(context.io) : undefined;
      const added = await change(context, async (tx, audit) => {
        const { id: firm_id } = await firmOf(tx, flags.firm);
        const given = { firm_id, manifest, secret, replace: flags.replace ?? false };
        return addConnector(tx, audit, given, masterKey, taken);
      });
      const shown = { ...connectorView(added.connector), ...(added.secret !== null && { secret: added.secret }) };
      const lines = [`${flags.replace ? "replaced" : "added"} ${shown.slug}; its tool is ${shown.tool}`];
      if (added.secret !== null) lines.push(`signing secret, shown only once: ${added.secret}`);
      show(context.io, flags.json, shown, lines);
    });
}

function registerReading(group: Command, context: Context): void {
  group
    .command("list")
    .description("List a firm's connectors")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: Flags) => {
      const firmed = async ({ read }: Store) => connectorsOf(read, (await firmOf(read, flags.firm)).id);
      const all = (await look(context, firmed)).map(connectorView);
      const rows = all.map((one) => [one.slug, one.semantic_version, one.engine.type, one.tool, one.changed_at]);
      show(context.io, flags.json, all, grid(context.io, ["SLUG", "VERSION", "ENGINE", "TOOL", "CHANGED"], rows));
    });
  group
    .command("show")
    .description("Show a connector and its manifest")
    .argument("<slug>")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (slug: string, flags: Flags) => {
      const row = await look(context, async ({ read }) => present(read, await firmOf(read, flags.firm), slug));
      const value = { ...connectorView(row), manifest: manifestOf(row) };
      show(context.io, flags.json, value, JSON.stringify(value, null, 2).split("\n"));
    });
}

function registerRemove(group: Command, context: Context): void {
  group
    .command("remove")
    .description("Remove a connector")
    .argument("<slug>")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (slug: string, flags: Flags) => {
      await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        await present(tx, firm, slug);
        await removeConnector(tx, audit, firm.id, slug);
      });
      show(context.io, flags.json, { slug, removed: true }, [
        `removed ${slug}; running steps finish and are charged, pending ones are refused without charge`,
      ]);
    });
}

async function inputFor(file: string | undefined, row: ConnectorTable, io: Io): Promise<unknown> {
  const [example] = manifestOf(row).tool?.examples ?? [];
  if (file === undefined && example) return example.input;
  if (file === undefined)
    throw new CommandError(2, `${row.slug} has no example: give --input FILE, or --input - for stdin`);
  try {
    return JSON.parse(file === "-" ? await io.stdin() : readText(file));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(2, "the input is not JSON");
  }
}

function registerTest(group: Command, context: Context): void {
  const { io } = context;
  group
    .command("test")
    .description("Call a connector once, as a step would; charges nothing and creates no run")
    .argument("<slug>")
    .option("--input <file>", "JSON file, - for stdin (default: the manifest's first example)")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (slug: string, flags: Flags & { input?: string }) => {
      const configuration = context.configure();
      const { settings } = configuration;
      const masterKey = masterKeyOf(configuration);
      const trial: Trial = await look(context, async (store) => {
        const row = await present(store.read, await firmOf(store.read, flags.firm), slug);
        const input = await inputFor(flags.input, row, io);
        const log = createLog(io.runtime, "error");
        const made = { runtime: io.runtime, log, settings, db: store.read, paths: pathsOf(settings) };
        return tryConnector(manifestOf(row), { masterKey, sealed: row.secret_encrypted }, engineServices(made), input);
      });
      const lines = trial.ok
        ? [`${slug} answered in ${trial.milliseconds} ms`, JSON.stringify(trial.result, null, 2)]
        : [`${slug} failed after ${trial.milliseconds} ms: ${trial.error.code}: ${trial.error.message}`];
      show(io, flags.json, trial, lines);
      if (!trial.ok) throw new CommandError(1, `${slug} does not work`, "Nothing was charged. See the code above.");
    });
}

/** `assay admin connectors …` */
export function registerConnectorCommands(admin: Command, context: Context): void {
  const group = admin
    .command("connectors")
    .description("Manage a firm's private capabilities, served by external endpoints");
  registerAdd(group, context);
  registerReading(group, context);
  registerRemove(group, context);
  registerTest(group, context);
}
