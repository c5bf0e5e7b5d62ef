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
    ["serve", "Start the server", () => import("./serve.ts")],
    [
      "init",
      "Set up the installation: owner, firm, workspace, credits, gates and a first API key",
      () => import("./init.ts"),
    ],
    [
      "migrate",
      "Migrate the database's schema while no server is running (`serve` does it too)",
      () => import("./migrate.ts"),
    ],
    [
      "doctor",
      "Show the effective configuration and check the installation's health; changes nothing",
      () => import("./doctor.ts"),
    ],
    [
      "verify",
      "Verify that balances, charges, runs, usage, jobs, receipts and the audit log agree, and check the database file",
      () => import("./verify.ts"),
    ],
    [
      "backup <file>",
      "Back up the database to a file, with a checksum next to it; the server can keep running",
      () => import("./backup.ts"),
    ],
    ["restore <file>", "Restore a backup into a data folder that has no database", () => import("./restore.ts")],
    ["service", "Run the server as a systemd service", () => import("./service.ts")],
    ["admin", "Administer firms, users, keys, credits and gates on this machine", () => import("./admin.ts")],
    ["import", "Import documents, datasets and studies", () => import("./import.ts")],
    ["datasets", "List, compare and roll back imported datasets", () => import("./datasets.ts")],
    ["index", "Rebuild or inspect the search index of the insurance documents", () => import("./index-command.ts")],
  ],
  "This program:": [
    ["version", "Print the version", () => import("./version.ts")],
    [
      "completion <shell>",
      "Print a shell completion script for commands, options and their choices",
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
