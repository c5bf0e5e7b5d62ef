import { type Command, InvalidArgumentError } from "commander";
import { type Configuration, type ConfigurationInput, loadConfiguration } from "../config/settings.ts";
import type { Io } from "./io.ts";

/** The options that every command takes, before it or after it. */
export interface GlobalFlags {
  readonly config?: string;
  readonly data?: string;
}

/** What the operator's commands are registered with. */
export interface Context {
  readonly io: Io;
  /** The configuration, with the command's own flags on top. Throws `ConfigurationError`. */
  configure(flags?: ConfigurationInput["flags"]): Configuration;
}

/** `program` holds the global options. */
export const createContext = (program: Command, io: Io): Context => ({
  io,
  configure(flags = {}) {
    const { config, data } = program.opts<GlobalFlags>();
    return loadConfiguration({ env: io.env, flags: { ...(data !== undefined && { data }), ...flags }, file: config });
  },
});

/** What a command's `--json` is called in help. */
export const jsonHelp = "print JSON on stdout, for scripts";

/** Prints a value as the JSON that `--json` promises. */
export const printJson = (io: Io, value: unknown): void => io.out(JSON.stringify(value, null, 2));

/** An option's or argument's whole number; the range is the domain's to check. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  if (Number.isSafeInteger(number)) return number;
  const most = Number.MAX_SAFE_INTEGER;
  throw new InvalidArgumentError(`It must be from ${-most} to ${most}.`);
}
