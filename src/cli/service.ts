import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { baseUrlOf, type Configuration } from "../config/settings.ts";
import { isCompiled } from "../platform/compiled.ts";
import { makeFolderDurably, syncFolder, writeDurably } from "../platform/files.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { pathsOf } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";
import { dataOf, environmentFile, isInHome, type UnitOptions, unitText } from "./service-unit.ts";
import { pairs } from "./table.ts";

interface ServiceFlags {
  readonly name: string;
  readonly user?: boolean;
}

interface InstallFlags extends ServiceFlags {
  readonly runAs?: string;
  readonly dryRun?: boolean;
}

/** Returns the settings folder of the user's own service manager, `%E` in a unit. */
const ownSettings = ({ env }: Io): string => env.XDG_CONFIG_HOME ?? join(env.HOME ?? "/", ".config");

/** Returns the unit's file, of the system's or the user's own service manager. */
const unitFile = (io: Io, { name, user }: ServiceFlags): string =>
  join(user ? join(ownSettings(io), "systemd/user") : "/etc/systemd/system", `${name}.service`);

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs systemctl. Throws exit 1 if there is none. */
async function systemctl({ env }: Io, { user }: ServiceFlags, ...args: string[]): Promise<Said> {
  const command = Bun.which("systemctl", { PATH: env.PATH ?? "" });
  if (command === null) throw noSystemd();
  const child = Bun.spawn([command, ...(user ? ["--user"] : []), ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out: out.trim(), err: err.trim() };
}

const noSystemd = (): CommandError =>
  new CommandError(
    1,
    "systemd is not running",
    "Run `assay serve` under another service manager or in a container (see the Dockerfile). `assay service install --dry-run` prints the unit.",
  );

/** Throws exit 1 if systemd is not running: `is-system-running` then prints `offline` or `unknown`. */
async function needSystemd(io: Io, flags: ServiceFlags): Promise<void> {
  const { out } = await systemctl(io, flags, "is-system-running");
  if (!/^(initializing|starting|running|degraded|maintenance|stopping)$/.test(out)) throw noSystemd();
}

async function must(io: Io, flags: ServiceFlags, ...args: string[]): Promise<string> {
  const { code, out, err } = await systemctl(io, flags, ...args);
  if (code === 0) return out;
  const scope = flags.user ? "--user " : "";
  const advice = `See the server's log: \`journalctl ${scope}-u ${flags.name}\`.`;
  throw new CommandError(1, `systemctl ${args.join(" ")} failed: ${err}`, advice);
}

/** Throws why a unit would not serve what its operator expects. A dry run only prints it. */
function refuse(io: Io, { dryRun }: InstallFlags, error: CommandError): void {
  if (!dryRun) throw error;
  io.err(error.message);
  if (error.hint !== undefined) io.err(error.hint);
}

/** Returns the command for systemd to start. Refuses one in a home folder, which is hidden from system units. */
function command(io: Io, flags: InstallFlags): string[] {
  const words = isCompiled() ? [process.execPath] : [process.execPath, Bun.main];
  const hidden = words.find(isInHome);
  const advice = "Copy the executable to /usr/local/bin and run it from there, or install with --user.";
  if (!flags.user && hidden !== undefined)
    refuse(io, flags, new CommandError(1, `a system service can't read ${hidden}`, advice));
  return words;
}

/**
 * Refuses a unit whose folder is empty while there is an installation in the folder that all other commands use here
 * by default. A demo is not meant to be kept.
 */
function checkFolder(io: Io, flags: InstallFlags, options: UnitOptions): void {
  const data = dataOf(options);
  const here = pathsOf(options.configuration.settings);
  if (here.folder === data || existsSync(here.demo) || !existsSync(here.database)) return;
  if (existsSync(pathsOf({ data }).database)) {
    io.err(`The service uses ${data}, not ${here.folder}.`);
    return;
  }
  const move = `To serve it, stop its server, run \`mv -T ${here.folder} ${data}\` as root, and install again.`;
  const advice = `${move} To serve a new installation instead, add --data ${data}`;
  refuse(io, flags, new CommandError(2, `the service would use ${data}, not ${here.folder}`, advice));
}

/** Returns the file of the unit's variables. */
const variablesFile = (io: Io, { name, user }: ServiceFlags): string =>
  environmentFile(name, user === true).replace("%E", ownSettings(io));

/** Loads the configuration with the unit's own variables, because the unit depends on the port and other settings. */
function configurationOf({ io, configure }: Context, flags: InstallFlags): Configuration {
  const file = variablesFile(io, flags);
  if (!existsSync(file)) return configure();
  try {
    accessSync(file, constants.R_OK);
  } catch {
    io.err(`This user can't read ${file}: the unit is made without its settings.`);
    return configure();
  }
  return configure({}, file);
}

/** Warns about variables set only in this shell, which the unit does not get. `--data` is on its command line. */
function nameVariables(io: Io, { sources }: Configuration, flags: ServiceFlags): void {
  const { data: _, ...others } = sources;
  const left = Object.values(others).filter((source) => source.startsWith("ASSAY_"));
  if (left.length === 0) return;
  const file = variablesFile(io, flags);
  io.err(`The service does not inherit ${left.join(", ")} from this shell. Set what it needs in ${file}.`);
}

async function install(context: Context, flags: InstallFlags): Promise<void> {
  const { io } = context;
  const configuration = configurationOf(context, flags);
  const { name, user, runAs } = flags;
  const options = { configuration, command: command(io, flags), name, isUser: user === true, runAs };
  const text = unitText(options);
  checkFolder(io, flags, options);
  nameVariables(io, configuration, flags);
  if (flags.dryRun) return io.out(text.trimEnd());
  const file = unitFile(io, flags);
  await needSystemd(io, flags);
  const isSame = existsSync(file) && readFileSync(file, "utf8") === text;
  await makeFolderDurably(dirname(file), 0o755);
  await writeDurably(file, text, { mode: 0o644 });
  await must(io, flags, "daemon-reload");
  await must(io, flags, "enable", flags.name);
  await must(io, flags, "restart", flags.name);
  io.out(`${isSame ? "restarted" : "installed and started"} ${file}`);
  io.err(`It should answer at ${baseUrlOf(configuration.settings)}. See \`assay service status\`.`);
}

async function uninstall({ io }: Context, flags: ServiceFlags): Promise<void> {
  const file = unitFile(io, flags);
  if (!existsSync(file)) throw new CommandError(1, `there is no ${file}`, "Name it with --name, or give --user.");
  await needSystemd(io, flags);
  await must(io, flags, "disable", "--now", flags.name);
  await rm(file);
  await syncFolder(dirname(file));
  await must(io, flags, "daemon-reload");
  io.out(`stopped and removed ${file}; the data is kept`);
}

/** Prints the unit's state. Throws exit 1 if it is not running. */
async function status({ io }: Context, flags: ServiceFlags & { readonly json?: boolean }): Promise<void> {
  await needSystemd(io, flags);
  const properties = ["ActiveState", "SubState", "UnitFileState", "MainPID", "NRestarts", "ExecMainStartTimestamp"];
  const out = await must(io, flags, "show", flags.name, `--property=${properties.join(",")}`);
  const read = new Map(out.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
  const told = {
    file: unitFile(io, flags),
    state: `${read.get("ActiveState")} (${read.get("SubState")})`,
    at_boot: read.get("UnitFileState") ?? "",
    pid: Number(read.get("MainPID")),
    restarts: Number(read.get("NRestarts")),
    since: read.get("ExecMainStartTimestamp") ?? "",
  };
  if (flags.json) printJson(io, told);
  else for (const line of pairs(io, told)) io.out(line);
  if (read.get("ActiveState") !== "active")
    throw new CommandError(
      1,
      "the service is not running",
      `See the server's log: \`journalctl ${flags.user ? "--user " : ""}-u ${flags.name}\`.`,
    );
}

const nameHelp = "the unit's name";

/** Checks a unit's name, which is also that of its settings and data folders. */
function unitName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(text) && !text.endsWith(".service")) return text;
  throw new InvalidArgumentError(
    "It must begin with a letter or digit, have at most 100 letters, digits, dots, dashes and underscores, and not end in .service.",
  );
}

const userHelp = "use your own service manager, not the system's";

/** `assay service …` */
export function register(program: Command, context: Context): void {
  const service = program.command("service").description("Run the server as a systemd service");
  service
    .command("install")
    .description("Install a hardened systemd unit and start it, now and at each boot")
    .option("--name <name>", nameHelp, unitName, "assay")
    .option("--user", userHelp)
    .option("--run-as <user>", "user to run as (default: a dynamic user)")
    .option("--dry-run", "print the unit without installing it")
    .action((flags: InstallFlags) => install(context, flags));
  service
    .command("uninstall")
    .description("Stop and remove the unit; the data is kept")
    .option("--name <name>", nameHelp, unitName, "assay")
    .option("--user", userHelp)
    .action((flags: ServiceFlags) => uninstall(context, flags));
  service
    .command("status")
    .description("Show whether the unit is running, and since when")
    .option("--name <name>", nameHelp, unitName, "assay")
    .option("--user", userHelp)
    .option("--json", jsonHelp)
    .action((flags: ServiceFlags & { json?: boolean }) => status(context, flags));
}
