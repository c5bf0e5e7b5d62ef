import type { Command } from "commander";
import { commandName } from "./command-name.ts";
import { type Context, createContext } from "./context.ts";
import type { Io } from "./io.ts";

interface CommandModule {
  register(program: Command, context: Context): void;
}

/** A command's usage and description, as listed in help, and a function that loads its module. */
type Listed = readonly [usage: string, about: string, load: () => Promise<CommandModule>];

/** Repeats each command's description, so that help and completion load none of them. A test checks that they match. */
const operatorCommands: Readonly<Record<string, readonly Listed[]>> = {
  "Run a server:": [
    ["serve", "start the server", () => import("./serve.ts")],
    ["init", "first set-up: owner, firm, workspace, credits, gates and a first API key", () => import("./init.ts")],
    [
      "migrate",
      "bring the database's schema up to date, while no server runs (`serve` does it too)",
      () => import("./migrate.ts"),
    ],
    [
      "doctor",
      "show the effective configuration and the installation's health, with advice; changes nothing",
      () => import("./doctor.ts"),
    ],
    [
      "verify",
      "prove that balances, charges, runs, usage, jobs, receipts and the audit log agree, and check the file",
      () => import("./verify.ts"),
    ],
    [
      "backup <file>",
      "write the whole database to a file, with a checksum beside it; the server may go on",
      () => import("./backup.ts"),
    ],
    [
      "restore <file>",
      "make an installation from a backup, in a data folder that has no database",
      () => import("./restore.ts"),
    ],
    ["service", "run the server as a systemd unit", () => import("./service.ts")],
    ["admin", "administer firms, people, keys, credits and gates, locally", () => import("./admin.ts")],
    ["import", "import what the capabilities work with: documents, data", () => import("./import.ts")],
    ["datasets", "imported datasets: their versions, and the way back", () => import("./datasets.ts")],
    ["index", "the search index over the insurance documents", () => import("./index-command.ts")],
  ],
  "This program:": [
    ["version", "print the version", () => import("./version.ts")],
    [
      "completion <shell>",
      "print a script that completes commands, options and their choices",
      () => import("./completion/completion.ts"),
    ],
  ],
};

/**
 * Registers what a command line needs: only the operator command that it names, or all client commands, which load
 * quickly, with the operator commands as help lines.
 */
export async function registerCommands(program: Command, io: Io, argv: readonly string[]): Promise<void> {
  const asked = commandName(argv);
  const listed = Object.values(operatorCommands).flat();
  const [, , load] = listed.find(([usage]) => usage.split(" ")[0] === asked) ?? [];
  if (load) return (await load()).register(program, createContext(program, io));
  const { registerClientCommands } = await import("./client/index.ts");
  registerClientCommands(program.commandsGroup("Use a server:"), io);
  for (const [group, commands] of Object.entries(operatorCommands)) {
    program.commandsGroup(group);
    for (const [usage, about] of commands) program.command(usage).description(about);
  }
}
