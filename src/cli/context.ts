import { type Command, InvalidArgumentError } from "commander";
import { type Configuration, type ConfigurationInput, loadConfiguration } from "../config/settings.ts";
import type { Io } from "./io.ts";

/** Global options, accepted before or after the command. */
export interface GlobalFlags {
  readonly config?: string;
  readonly data?: string;
  readonly envFile?: string;
}

/** Dependencies of the operator commands. */
export interface Context {
  readonly io: Io;
  /**
   * Loads the configuration, overridden by the command's own flags. `envFile` is read unless the command line names
   * another. Throws `ConfigurationError`.
   */
  configure(flags?: ConfigurationInput["flags"], envFile?: string): Configuration;
}

/** Creates the context. `program` has the global options. */
export const createContext = (program: Command, io: Io): Context => ({
  io,
  configure(flags = {}, usual = undefined) {
    const { config: file, data, envFile = usual } = program.opts<GlobalFlags>();
    return loadConfiguration({ env: io.env, flags: { ...(data !== undefined && { data }), ...flags }, file, envFile });
  },
});

/** Help text of `--json`. */
export const jsonHelp = "print JSON on stdout, for scripts";

/** Prints a value as indented JSON, for `--json`. */
export const printJson = (io: Io, value: unknown): void => io.out(JSON.stringify(value, null, 2));

/** Parses an option's or argument's whole number. The caller checks its range. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  if (Number.isSafeInteger(number)) return number;
  const most = Number.MAX_SAFE_INTEGER;
  throw new InvalidArgumentError(`It must be from ${-most} to ${most}.`);
}
