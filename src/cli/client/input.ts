import type { Command } from "commander";
import { inexactNumberAt, wantsExact } from "../../platform/json-numbers.ts";
import { readGiven } from "../file-trouble.ts";
import { CommandError, decoded, type Io } from "../io.ts";
import { reasonOf } from "./store.ts";

/** Options that give the input of a run or a quote. */
export interface InputOptions {
  readonly input?: string;
  readonly inputFile?: string;
  readonly set?: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;
/** Collects the values of a repeatable option. */
export const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/** Adds the input options to a command. */
export const inputOptions = (command: Command): Command =>
  command
    .argument("[-]", "a lone - reads the input from stdin")
    .option("--input <json>", "the input as JSON; - reads it from stdin")
    .option("--input-file <file>", "the input from a JSON file; - reads it from stdin")
    .option("--set <key=value>", "one member of the input; repeat for more members or more items of a list", collect);

/** Reads the text of a file, or of stdin for `-`. Throws exit 2 if it can't be read or is not UTF-8 text. */
export const readText = async (io: Io, path: string): Promise<string> =>
  path === "-" ? io.stdin() : decoded(readGiven(path), path);

function membersOf(text: string, origin: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(2, `${origin} is not JSON: ${reasonOf(error)}`);
  }
  const inexact = inexactNumberAt(text);
  if (inexact !== undefined) throw new CommandError(2, `${origin}: ${inexact} ${wantsExact}.`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new CommandError(2, `${origin} must be a JSON object, such as {"question": "…"}.`);
}

async function given(io: Io, dash: string | undefined, options: InputOptions): Promise<Members> {
  if (dash !== undefined && dash !== "-")
    throw new CommandError(2, `Unexpected argument ${dash}.`, "Give the input with --input, --input-file, --set or -.");
  const ways = [dash, options.input, options.inputFile].filter((way) => way !== undefined);
  if (ways.length > 1) throw new CommandError(2, "Give the input once: --input, --input-file or -.");
  if (options.inputFile !== undefined) return membersOf(await readText(io, options.inputFile), options.inputFile);
  if (dash === "-" || options.input === "-") return membersOf(await io.stdin(), "stdin");
  return options.input === undefined ? {} : membersOf(options.input, "--input");
}

const property = (schema: unknown, name: string): unknown =>
  typeof schema === "object" && schema !== null && Object.hasOwn(schema, name) ? Reflect.get(schema, name) : undefined;

function jsonOr(text: string): unknown {
  try {
    return inexactNumberAt(text) === undefined ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Converts a `--set` value to its type in the input schema. What does not fit stays text, for the server to reject. */
function converted(text: string, schema: unknown): unknown {
  const type = property(schema, "type");
  if (type === "string") return text;
  if (type !== "array") return type === undefined ? text : jsonOr(text);
  if (text.startsWith("[")) return jsonOr(text);
  return [converted(text, property(schema, "items"))];
}

/** Appends the items of a repeated `--set`. Throws exit 2 if the member is not a list: a value would be lost. */
function added(key: string, earlier: unknown, more: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(more)) return [...earlier, ...more];
  throw new CommandError(2, `--set ${key} is given twice but takes one value.`);
}

/** Returns the input given by the flags; `--set` overrides the other ways. `schema` is the JSON Schema of the input. */
export async function readInput(
  io: Io,
  dash: string | undefined,
  options: InputOptions,
  schema: unknown,
): Promise<Members> {
  const members = new Map(Object.entries(await given(io, dash, options)));
  const set = new Set<string>();
  for (const pair of options.set ?? []) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined) throw new CommandError(2, `--set takes key=value, not "${pair}".`);
    const given = converted(value, property(property(schema, "properties"), key));
    members.set(key, set.has(key) ? added(key, members.get(key), given) : given);
    set.add(key);
  }
  return Object.fromEntries(members);
}
