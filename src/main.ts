#!/usr/bin/env bun
// First: a server hears from now on that it is asked to stop.
import "./cli/stop.ts";

import { Command, CommanderError } from "commander";
import { commandName } from "./cli/command-name.ts";
import { type Context, createContext } from "./cli/context.ts";
import { fittingHelp } from "./cli/help.ts";
import { CommandError, type ExitCode, type Io, processIo } from "./cli/io.ts";
import { ConfigurationError } from "./config/settings.ts";
import { Failure } from "./platform/errors.ts";

interface CommandModule {
  register(program: Command, context: Context): void;
}

/** The operator's commands. Each is loaded when it is asked for, so that none waits for what it does not need. */
const operatorCommands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  serve: () => import("./cli/serve.ts"),
  init: () => import("./cli/init.ts"),
  migrate: () => import("./cli/migrate.ts"),
  doctor: () => import("./cli/doctor.ts"),
  verify: () => import("./cli/verify.ts"),
  backup: () => import("./cli/backup.ts"),
  restore: () => import("./cli/restore.ts"),
  admin: () => import("./cli/admin.ts"),
  import: () => import("./cli/import.ts"),
  index: () => import("./cli/index-command.ts"),
  version: () => import("./cli/version.ts"),
  completion: () => import("./cli/completion.ts"),
};

async function registerCommands(program: Command, io: Io, asked: string | undefined): Promise<void> {
  const context = createContext(program, io);
  const load = asked !== undefined && Object.hasOwn(operatorCommands, asked) ? operatorCommands[asked] : undefined;
  // What completes all commands has to see all of them.
  if (load && asked !== "completion") return (await load()).register(program, context);
  const { registerClientCommands } = await import("./cli/client/index.ts");
  registerClientCommands(program.commandsGroup("Use a server:"), io);
  if (program.commands.some((command) => command.name() === asked)) return;
  program.commandsGroup("Run a server:");
  for (const each of Object.values(operatorCommands)) (await each()).register(program, context);
}

/** Usage errors leave by exception, help goes to stdout and everything else to stderr: subcommands included. */
function settle(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError("Add --help to see what there is.")
    .configureHelp(fittingHelp(io))
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
      getOutHasColors: () => io.terminal && !io.env.NO_COLOR,
      getOutHelpWidth: () => io.columns,
    });
  for (const sub of command.commands) settle(sub, io);
}

/** Tells what went wrong on stderr, and which exit code that is. */
function explain(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    io.err(`assay: ${error.message}`);
    if (error.hint !== undefined) io.err(error.hint);
    return error.exitCode;
  }
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) io.err(`assay: ${line}`);
    return 2;
  }
  if (error instanceof Failure && error.code === "validation_error") {
    for (const { path, message } of error.details) io.err(`assay: ${path.slice(1).replaceAll("_", " ")} ${message}`);
    return 2;
  }
  io.err(`assay: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}

/** Runs one command line; what comes back is the process's exit code. */
async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = new Command("assay")
    .description("Sell, govern and prove AI-backed financial-intelligence work: server, administration and client.")
    .option("--data <folder>", "the data folder (default: ./assay-data)")
    .option("--config <file>", "the configuration file (default: ./assay.toml, if there is one)");
  try {
    await registerCommands(program, io, commandName(argv));
    settle(program, io);
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    return explain(error, io);
  }
}

// A reader that has seen enough, as `assay … | head`, is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: Error & { code?: string }) => process.exit(error.code === "EPIPE" ? 0 : 1));
process.exitCode = await run(process.argv.slice(2), processIo);
