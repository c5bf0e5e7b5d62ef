import { type Runtime, systemRuntime } from "../platform/runtime.ts";
import { wrap } from "./client/screen.ts";

/** What a command talks through: results on stdout, everything else on stderr. */
export interface Io {
  /** Time, ids, randomness, threads: the machine is used through it alone. */
  readonly runtime: Runtime;
  /** A line of the result. */
  out(line: string): void;
  /** Progress, hints, errors. */
  err(line: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether people read stdout: colour, tables that fit, no JSON by default. */
  readonly terminal: boolean;
  /** The width that results have to fit, in columns. Without bounds where no terminal shows them: `grep` wants whole lines. */
  readonly columns: number;
  /** The width of what goes to stderr. */
  readonly errColumns: number;
  /** How many lines of progress may be rewritten on stderr; 0 without a terminal: each change is a line then. */
  readonly liveRows: number;
  /** Everything on stdin. Exit 2 where it is no text. */
  stdin(): Promise<string>;
  /**
   * Asks the person at the terminal, without showing the answer where it is `hidden`. Exit 130 at Ctrl-C, and 2 where the
   * input ends. Undefined: there is nobody.
   */
  readonly ask: ((question: string, hidden?: "hidden") => Promise<string>) | undefined;
}

/** 0 done, 1 other failure, 2 usage, 3 auth (401, 403), 4 quota (402), 130 stopped by Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** Ends a command: `message` says what is wrong, `hint` what to do next. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: Exclude<ExitCode, 0>,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = "CommandError";
  }
}

/** The mark that UTF-16 begins with: what editors and shells of Windows write may be that. */
const utf16: readonly (readonly [mark: string, encoding: "utf-16le" | "utf-16be"])[] = [
  ["255,254", "utf-16le"],
  ["254,255", "utf-16be"],
];

/**
 * A text from a file or from stdin: UTF-8, or UTF-16 with its mark. Throws `CommandError` (exit 2) for other bytes, which
 * would be sent with what can't be read in place of their letters. `origin` names them.
 */
export function decoded(bytes: Uint8Array, origin: string): string {
  const [, encoding = "utf-8"] = utf16.find(([mark]) => mark === bytes.subarray(0, 2).join()) ?? [];
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(
      2,
      `${origin} is not text in UTF-8.`,
      "Save it as UTF-8, or convert it, such as with: iconv -f WINDOWS-1250 -t UTF-8",
    );
  }
}

/** One question on stderr, so that stdout stays the result's. */
async function askOnTerminal(question: string, hidden?: "hidden"): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import("node:readline/promises"),
    import("node:stream"),
  ]);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = hidden ? nowhere : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: hidden !== undefined });
  // The terminal must not echo what is typed, from the moment on that typing is possible.
  if (hidden) process.stdin.setRawMode(true);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = () => reject(new CommandError(130, "Stopped."));
  // Where the terminal reads whole lines, Ctrl-C is a signal; where it does not, it is a key.
  process.once("SIGINT", stop);
  process.stderr.write(question);
  try {
    lines.once("line", resolve);
    lines.once("SIGINT", stop);
    lines.once("close", () => reject(new CommandError(2, "the input ended before it was answered")));
    return await promise;
  } finally {
    process.off("SIGINT", stop);
    lines.close();
    if (hidden) {
      process.stdin.setRawMode(false);
      process.stderr.write("\n");
    }
  }
}

/** Words for people, broken between words where a terminal would break them anywhere. What is in colour has been fitted. */
function folded(text: string, columns: number): string {
  if (text.includes("\u001b")) return text;
  const lines = text.split("\n").flatMap((line) => {
    const margin = line.slice(0, line.search(/\S|$/));
    return wrap(line, columns - margin.length).map((part) => margin + part);
  });
  return lines.join("\n");
}

/** COLUMNS (POSIX, 8.3) counts first, then what the terminal says. */
const columnsOf = ({ columns }: NodeJS.WriteStream): number =>
  /^[1-9]\d{0,3}$/.test(process.env.COLUMNS ?? "") ? Number(process.env.COLUMNS) : columns || 80;

export const processIo: Io = {
  runtime: systemRuntime,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) =>
    void process.stderr.write(`${process.stderr.isTTY ? folded(line, columnsOf(process.stderr)) : line}\n`),
  env: process.env,
  terminal: process.stdout.isTTY === true,
  get columns() {
    return process.stdout.isTTY ? columnsOf(process.stdout) : Number.MAX_SAFE_INTEGER;
  },
  get errColumns() {
    return columnsOf(process.stderr);
  },
  get liveRows() {
    return process.stderr.isTTY === true && process.env.TERM !== "dumb" ? process.stderr.rows || 0 : 0;
  },
  stdin: async () => decoded(await Bun.stdin.bytes(), "stdin"),
  // Not before somebody is to be asked: a server would open its standard input for nothing.
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined;
  },
};
