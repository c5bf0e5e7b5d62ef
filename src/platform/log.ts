import type { Clock } from "./clock.ts";

/**
 * The log: structured lines on stderr, one JSON object each. Callers pass only what may be logged, never a body or an
 * input. Credentials, recognised by member name or by form, are redacted at any depth.
 */
export type Level = "debug" | "info" | "warn" | "error";
const order: readonly Level[] = ["debug", "info", "warn", "error"];

/** Returns whether a log with the minimum level `least` writes lines of this level. */
export const isLogged = (level: Level, least: Level): boolean => order.indexOf(level) >= order.indexOf(least);

type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const redacted = "[redacted]";

/** Names of members that hold a credential: `token`, and also `access_token`, `set-cookie` and `apiKey`. */
const secretNames = [
  /(?:^|[_-])(?:authorization|cookie|password|token|secret|key)$/i,
  /[a-z](?:Authorization|Cookie|Password|Token|Secret|Key)$/,
];

/** Assay's own secrets (`assay_sk_…` and similar), JSON Web Tokens, and credentials that follow an HTTP scheme. */
const secretText = /\bassay_[a-z]{2}_\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=\b(?:Bearer|Basic) +)[\w.~+/=-]+/gi;

/**
 * Returns a member's value as logged: redacted if it is a credential; an error is reduced to name, message, stack and
 * cause.
 */
function shown(name: string, value: unknown): unknown {
  if (value !== null && value !== undefined && secretNames.some((form) => form.test(name))) return redacted;
  if (typeof value === "string") return value.replaceAll(secretText, redacted);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Error)
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  return value;
}

function lineOf(at: number, level: Level, message: string, fields: Fields): string {
  const head = { at: new Date(at).toISOString(), level, message };
  try {
    return JSON.stringify({ ...head, ...fields }, shown);
  } catch {
    // A circular value must not lose the line or make the caller fail.
    return JSON.stringify({ ...head, fields: "not JSON" }, shown);
  }
}

/** Creates a log with the minimum level `least`. Each line passed to `write` ends in a newline. */
export function createLog(
  clock: Pick<Clock, "now">,
  least: Level,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      if (isLogged(level, least)) write(`${lineOf(clock.now(), level, message, fields)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
