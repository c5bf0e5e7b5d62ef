import type { Clock } from "./clock.ts";

/**
 * Structured lines on stderr, one JSON object each. Callers pass what may be written: never a credential, a body or
 * an input. Errors are reduced to name, message and stack.
 */
export type Level = "debug" | "info" | "warn" | "error";
const order: readonly Level[] = ["debug", "info", "warn", "error"];

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const plain = (value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause && plain(value.cause) }
    : value;

/** A log that writes what is at least as grave as `least`. */
export function createLog(
  clock: Pick<Clock, "now">,
  least: Level,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const at =
    (level: Level) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (order.indexOf(level) < order.indexOf(least)) return;
      const told = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
      write(`${JSON.stringify({ at: new Date(clock.now()).toISOString(), level, message, ...told })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
