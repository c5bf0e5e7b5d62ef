#!/usr/bin/env bun
// First, so that a stop requested while the rest is loading is not missed.
import "./cli/stop.ts";

import { Command, CommanderError } from "commander";
import { ApiError } from "./cli/client/http.ts";
import { registerCommands } from "./cli/commands.ts";
import { completions } from "./cli/completion/complete.ts";
import { fittingHelp, helpColumns } from "./cli/help.ts";
import { CommandError, type ExitCode, type Io, processIo } from "./cli/io.ts";
import { addJq, outputOf } from "./cli/jq.ts";
import { commandAbout, topicLines, topicList, topics } from "./cli/topics.ts";
import { versionLine } from "./cli/version.ts";
import { ConfigurationError } from "./config/settings.ts";
import { Failure } from "./platform/errors.ts";

/** Configures a command and its subcommands: usage errors throw, help goes to stdout and everything else to stderr. */
function settle(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError("Add --help to see the usage.")
    .configureHelp(fittingHelp(io))
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
      getOutHasColors: () => io.terminal && !io.env.NO_COLOR,
      getOutHelpWidth: () => helpColumns(io),
      getErrHelpWidth: () => io.errColumns,
      // The same prefix as for all other errors.
      outputError: (text, write) => write(text.replace(/^error: /, "assay: ")),
    });
  if (command.commands.length > 0) command.helpCommand("help [command]", "Show help for a command");
  command.helpOption("-h, --help", "show this help");
  for (const sub of command.commands) settle(sub, io);
}

/** A failed command: its exit code, what to print, one line each, and what to do next. */
interface Ending {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly hint?: string | undefined;
}

/** Returns commander's message. For a group without a command, commander has already printed the help. */
const usageLine = ({ code, message }: CommanderError): string =>
  code === "commander.help" ? "a command is missing" : message.replace(/^error: /, "");

/** Decides on every exit code: 2 whenever an argument, an option or a setting is invalid. */
function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, lines: [usageLine(error)] };
  if (error instanceof CommandError) return { exitCode: error.exitCode, lines: [error.message], hint: error.hint };
  if (error instanceof ConfigurationError) return { exitCode: 2, lines: error.lines };
  if (error instanceof Failure && error.code === "validation_error")
    return { exitCode: 2, lines: error.details.map(({ path, message }) => `${placeOf(path)} ${message}`) };
  return { exitCode: 1, lines: [error instanceof Error ? error.message : String(error)] };
}

/** Returns the name of the invalid value in an operator's command, from its JSON path. */
const placeOf = (path: string): string => path.slice(1).replaceAll("_", " ");

/** Returns the API's error body; for an error that is not from the API, one of the same form. */
function errorBodyOf(error: unknown): string {
  if (error instanceof ApiError && error.body !== undefined) return error.body;
  const { exitCode, lines, hint } = endingOf(error);
  const code = exitCode === 2 ? "usage" : "failed";
  return JSON.stringify({ error: { code, message: lines.join("\n"), ...(hint !== undefined && { hint }) } });
}

/** Prints an error on stderr, unless commander has done so, and returns its exit code. */
function explain(error: unknown, io: Io): ExitCode {
  const { exitCode, lines, hint } = endingOf(error);
  if (error instanceof CommanderError) return exitCode;
  for (const line of lines) io.err(`assay: ${line}`);
  if (hint !== undefined) io.err(hint);
  return exitCode;
}

/** The command that shell completion scripts run, followed by an unfinished command line. */
const completing = "__complete";

/** Runs one command line and returns the process's exit code. */
async function run(argv: readonly string[], plain: Io): Promise<ExitCode> {
  const program = new Command("assay")
    .description("Sell, govern and prove AI-backed financial-intelligence work: server, administration and client.")
    .version(versionLine, "--version", "print the version")
    .option("--data <folder>", "the data folder (default: ./assay-data)")
    .option("--config <file>", "the configuration file (default: ./assay.toml, if there is one)")
    .option("--env-file <file>", "a file with more ASSAY_* variables, such as /etc/assay/assay.env of a service");
  const output = outputOf(program, plain, argv);
  const { io } = output;
  try {
    if (argv[0] === completing) {
      const words = argv.slice(1);
      await registerCommands(program, io, words.slice(0, -1));
      addJq(program);
      for (const line of completions(program, words)) io.out(line);
      return 0;
    }
    const topic = argv[0] === "help" && Object.hasOwn(topics, argv[1] ?? "") ? topics[argv[1] ?? ""] : undefined;
    if (topic) {
      for (const line of topicLines(io, topic)) io.out(line);
      return 0;
    }
    await registerCommands(program, io, argv);
    addJq(program);
    settle(program, io);
    if (argv[0] === "help") {
      const about = commandAbout(program, argv.slice(1));
      if (about !== program) {
        about.outputHelp();
        return 0;
      }
    }
    program.addHelpText("after", topicList());
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(argv, { from: "user" });
    await output.finish();
    return 0;
  } catch (error) {
    // Output printed before the error is the answer, such as the record of a failed run.
    await output.finish().catch(() => {});
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    if (output.isJson() && output.isEmpty() && !isHelp) io.out(errorBodyOf(error));
    return explain(error, io);
  }
}

// A reader that closes the pipe early, as in `assay … | head`, is not a failure.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: Error & { code?: string }) => {
    if (error.code === "EPIPE") process.exit(0);
    if (stream === process.stdout) process.stderr.write(`assay: stdout can't be written: ${error.message}\n`);
    process.exit(1);
  });
process.exitCode = await run(process.argv.slice(2), processIo);
