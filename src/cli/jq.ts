import { type Command, InvalidArgumentError } from "commander";
import { CommandError, type Io } from "./io.ts";

/** Adds `--jq` to every command that has `--json`, recursively. */
export function addJq(command: Command): void {
  if (command.options.some(({ long }) => long === "--json"))
    command.option("--jq <expression>", "filter the JSON with a jq expression; implies --json", (text: string) => {
      if (text.trim() === "") throw new InvalidArgumentError("It is empty; use `.` for everything.");
      return text;
    });
  for (const sub of command.commands) addJq(sub);
}

/** Filters JSON with jq, compiled to WebAssembly. Prints raw strings. Throws exit 2 for an invalid expression. */
async function filtered(text: string, expression: string): Promise<string> {
  // Loaded on demand because it is large.
  const { raw } = await import("jq-wasm");
  try {
    return (await raw(text, expression, ["-r", "-c"])).trimEnd();
  } catch (error) {
    const said = (error instanceof Error ? error.message : String(error)).replace(/^(Error: )?(jq: )?/, "");
    const [first = ""] = said.split("\n");
    const isSyntax = said.includes("compile error");
    throw new CommandError(isSyntax ? 2 : 1, `--jq: ${first.trim()}`, "See https://jqlang.org/manual/ for the syntax.");
  }
}

/** A command's output, printed at once or, with `--jq`, filtered once it is complete. */
export interface Output {
  readonly io: Io;
  /** Returns whether nothing has been printed on stdout yet. */
  isEmpty(): boolean;
  /** Returns whether the command prints unfiltered JSON. */
  isJson(): boolean;
  /** Filters and prints the held output. */
  finish(): Promise<void>;
}

/** Returns `io` with another stdout. Copies property descriptors, so that getters stay lazy. */
const withOut = (io: Io, out: Io["out"]): Io =>
  Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(io),
    out: { value: out, enumerable: true },
  });

/** Returns whether a command line asks for JSON, before it is parsed. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.includes("--json") && !options.some((word) => word === "--jq" || word.startsWith("--jq="));
}

/**
 * Intercepts the stdout of a program's commands. `--jq` turns on `--json` and holds back the output. If the command
 * line is invalid, no command starts and `isJson` goes by the arguments alone.
 */
export function outputOf(program: Command, io: Io, argv: readonly string[]): Output {
  const seen = { expression: undefined as string | undefined, isJson: asksForJson(argv), printed: 0 };
  const held: string[] = [];
  program.hook("preAction", (_program, command) => {
    const { jq, json } = command.optsWithGlobals<{ jq?: string; json?: boolean }>();
    seen.expression = jq;
    seen.isJson = json === true && jq === undefined;
    if (jq !== undefined) command.setOptionValue("json", true);
  });
  const print = (line: string) => {
    seen.printed++;
    if (seen.expression === undefined) io.out(line);
    else held.push(line);
  };
  return {
    io: withOut(io, print),
    isEmpty: () => seen.printed === 0,
    isJson: () => seen.isJson,
    async finish() {
      if (seen.expression === undefined || held.length === 0) return;
      const text = await filtered(held.join("\n"), seen.expression);
      held.length = 0;
      if (text !== "") io.out(text);
    },
  };
}
