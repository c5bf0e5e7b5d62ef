import { type Command, InvalidArgumentError } from "commander";
import { CommandError, type Io } from "./io.ts";

/** Adds `--jq` to every command that prints JSON, of the whole program. */
export function addJq(command: Command): void {
  if (command.options.some(({ long }) => long === "--json"))
    command.option("--jq <expression>", "filter the JSON, as jq does; implies --json", (text: string) => {
      if (text.trim() === "") throw new InvalidArgumentError("It is empty; `.` is the whole.");
      return text;
    });
  for (const sub of command.commands) addJq(sub);
}

/** Filters a JSON text by jq itself, compiled to WebAssembly; strings come without quotes. Exit 2 for a bad expression. */
async function filtered(text: string, expression: string): Promise<string> {
  // Large, and needed by nothing else.
  const { raw } = await import("jq-wasm");
  try {
    return (await raw(text, expression, ["-r", "-c"])).trimEnd();
  } catch (error) {
    const said = (error instanceof Error ? error.message : String(error)).replace(/^(Error: )?(jq: )?/, "");
    const [first = ""] = said.split("\n");
    const isSyntax = said.includes("compile error");
    throw new CommandError(
      isSyntax ? 2 : 1,
      `--jq: ${first.trim()}`,
      "The language is that of https://jqlang.org/manual/",
    );
  }
}

/** What a command line prints, and how: as it comes, or through `--jq` when all of it is there. */
export interface Output {
  readonly io: Io;
  /** Nothing has been printed yet on stdout. */
  isEmpty(): boolean;
  /** Whether the command answers with JSON. */
  isJson(): boolean;
  /** Prints what waits for the filter. */
  finish(): Promise<void>;
}

/** The same with another stdout. By descriptors: the terminal is asked each time, and not before anybody wants to know. */
const withOut = (io: Io, out: Io["out"]): Io =>
  Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(io),
    out: { value: out, enumerable: true },
  });

/** Whether a command line asks for JSON, before anything else of it is understood. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.includes("--json") && !options.some((word) => word === "--jq" || word.startsWith("--jq="));
}

/**
 * Stands between a program's commands and stdout. A `--jq` turns `--json` on, and holds back what is printed. Where the
 * command line is wrong no command begins, and its words alone say what it asks for.
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
