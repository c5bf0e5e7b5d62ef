import type { Clock } from "./clock.ts";

/**
 * The one log: structured lines on stderr, one JSON object each. Callers pass what may be written: never a body or an
 * input. What is a credential by its name or its looks is left out all the same, however deep it is in a line.
 */
export type Level = "debug" | "info" | "warn" | "error";
const order: readonly Level[] = ["debug", "info", "warn", "error"];

/** Whether a log that writes what is at least as grave as `least` writes a line of this level. */
export const isLogged = (level: Level, least: Level): boolean => order.indexOf(level) >= order.indexOf(least);

type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const redacted = "[redacted]";

/** Names of members that hold a credential: `token`, and `access_token`, `set-cookie` and `apiKey` as well. */
const secretNames = [
  /(?:^|[_-])(?:authorization|cookie|password|token|secret|key)$/i,
  /[a-z](?:Authorization|Cookie|Password|Token|Secret|Key)$/,
];

/** The product's own secrets (`assay_sk_…` and its like), JSON Web Tokens, and what follows a scheme of HTTP. */
const secretText = /\bassay_[a-z]{2}_\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=\b(?:Bearer|Basic) +)[\w.~+/=-]+/gi;

/** What is written of a member. Errors are reduced to name, message, stack and cause. */
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
    // A value without an end must not cost the line, nor what the caller is about to do next.
    return JSON.stringify({ ...head, fields: "not JSON" }, shown);
  }
}

/** A log that writes what is at least as grave as `least`; each line that `write` is given ends in a newline. */
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
