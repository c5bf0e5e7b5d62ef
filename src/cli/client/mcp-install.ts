import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { structuredPatch } from "diff";
import { isCompiled } from "../../platform/compiled.ts";
import { copyDurably, makeFolderDurably, modeOf, writeDurably } from "../../platform/files.ts";
import { note } from "../help.ts";
import { CommandError, type Io } from "../io.ts";
import {
  type Connection,
  foundClients,
  type McpClient,
  type McpClientName,
  mcpClientNames,
  mcpClients,
  type Place,
  type ScopeName,
} from "./mcp-clients.ts";
import { withEntry } from "./mcp-file.ts";
import { paint, wrap } from "./screen.ts";
import { clientSettings, serverHelp } from "./settings.ts";
import { reasonOf } from "./store.ts";

interface InstallOptions {
  readonly baseUrl?: string;
  readonly client?: McpClientName;
  readonly scope: ScopeName;
  readonly name: string;
  readonly stdio?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Returns the requested client, or the only one found. */
function chosen(place: Place, asked: McpClientName | undefined): McpClientName {
  if (asked) return asked;
  const found = foundClients(place);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const which = found.length > 0 ? `Several clients were found: ${found.join(", ")}.` : "No known client was found.";
  throw new CommandError(2, `${which} Choose one with --client.`, `Known: ${mcpClientNames.join(", ")}`);
}

/** Returns how a client starts the bridge. A project's file is shared, so it has no path of this machine. */
function bridge(io: Io, baseUrl: string, scope: ScopeName): Connection {
  const args = ["mcp", "stdio", "--base-url", baseUrl];
  if (scope === "project") return { command: "assay", args };
  const { XDG_CONFIG_HOME: folder } = io.env;
  // Desktop programs don't get a shell's variables; without this one the bridge would not find the sign-in.
  const env = folder ? { env: { XDG_CONFIG_HOME: folder } } : {};
  return isCompiled()
    ? { command: process.execPath, args, ...env }
    : { command: process.execPath, args: [Bun.main, ...args], ...env };
}

/** Reads a file; `undefined` if it does not exist. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new CommandError(1, `${path} can't be read: ${reasonOf(error)}`);
  }
}

/** Maximum length of a line that is printed. A longer one is a whole file, with its other entries. */
const longestShown = 400;

const shown = (io: Io, line: string): string =>
  line.length > longestShown
    ? paint(io, "dim", `${line[0]} (a line of ${line.length} characters)`)
    : paint(io, line.startsWith("+") ? "good" : "bad", line);

/** Formats the changed lines without context, since other entries may hold secrets. */
function diffLines(io: Io, path: string, before: string, after: string): string[] {
  const { hunks } = structuredPatch(path, path, before, after, "", "", { context: 0 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    paint(io, "dim", `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    // A line that begins with a backslash only reports a missing line end.
    ...changed.filter((line) => !line.startsWith("\\")).map((line) => shown(io, line)),
  ]);
  return [paint(io, "bold", path), ...lines];
}

/** Asks for confirmation unless `--yes` is given. Throws exit 2 without a terminal to ask on. */
async function confirmed(io: Io, { yes }: InstallOptions): Promise<boolean> {
  if (yes) return true;
  if (!io.ask)
    throw new CommandError(
      2,
      "There is no terminal to ask on, so nothing was written.",
      "Add --yes to write without asking.",
    );
  return /^y(es)?$/i.test((await io.ask("Write this? [y/N] ")).trim());
}

/** Changes the file, as it is by now, and returns the path of a backup; `undefined` if there was no file. */
async function write(path: string, scope: ScopeName, change: (text: string) => string): Promise<string | undefined> {
  const backup = `${path}.assay-backup`;
  try {
    await makeFolderDurably(dirname(path), 0o777);
    const now = readIfThere(path);
    const mode = await modeOf(path, scope === "project" ? 0o644 : 0o600);
    if (now !== undefined) await copyDurably(path, backup, { mode });
    await writeDurably(path, change(now ?? ""), { mode });
    return now === undefined ? undefined : backup;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(1, `${path} can't be written: ${reasonOf(error)}`);
  }
}

function connectionFor(io: Io, client: McpClient, baseUrl: string, options: InstallOptions): Connection {
  if (client.http && !options.stdio) return { url: `${baseUrl}/mcp` };
  return bridge(io, baseUrl, options.scope);
}

async function install(io: Io, options: InstallOptions): Promise<void> {
  const place: Place = { env: io.env, platform: process.platform, folder: process.cwd() };
  const name = chosen(place, options.client);
  const client = mcpClients[name];
  if (!client.scopes.includes(options.scope))
    throw new CommandError(2, `${client.label} has no file for a ${options.scope}.`, "Use --scope user.");
  const path = client.path(place, options.scope);
  if (path === undefined)
    throw new CommandError(1, `The settings folder of ${client.label} is not known here.`, "Set HOME.");
  const { baseUrl } = await clientSettings(io, options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl });
  const connection = connectionFor(io, client, baseUrl, options);
  const entry = options.remove ? undefined : client.entry(connection);
  const change = (text: string) => withEntry(path, text, client.section, options.name, entry);

  const before = readIfThere(path) ?? "";
  const after = change(before);
  if (after === before)
    return io.err(options.remove ? `${path} has no ${options.name}: nothing to do.` : `${path} has it already.`);
  for (const line of diffLines(io, path, before, after)) io.out(line);
  if (options.dryRun) return io.err("Nothing was written: --dry-run.");
  if (!(await confirmed(io, options))) return io.err("Nothing was written.");
  const backup = await write(path, options.scope, change);
  io.err(`Written.${backup ? ` The previous version is in ${backup}` : ""}`);
  if (options.remove) return;
  if ("command" in connection) io.err("It uses the sign-in of `assay login`, or ASSAY_API_KEY if that is set.");
  for (const line of wrap(client.next, io.errColumns)) io.err(line);
}

/** `assay mcp install`, on the group `assay mcp`. */
export function registerMcpInstall(mcp: Command, io: Io): void {
  mcp
    .command("install")
    .description("Add the server to an MCP client's own settings")
    .option("--base-url <url>", serverHelp)
    .addOption(new Option("--client <client>", "the client (default: the only one found)").choices(mcpClientNames))
    .addOption(
      new Option("--scope <scope>", "for you, or for everyone who works in this folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option("--name <name>", "name of the server there", "assay")
    .option("--stdio", "let the client start `assay mcp stdio` instead of connecting over HTTP")
    .option("--remove", "remove it")
    .option("--dry-run", "show what would change without writing it")
    .option("--yes", "write without asking")
    .addHelpText(
      "after",
      note(
        io,
        "No secret is written: clients sign in themselves, and the bridge uses the credentials of `assay login`.",
      ),
    )
    .action((options: InstallOptions) => install(io, options));
}
