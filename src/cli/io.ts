import { type Runtime, systemRuntime } from "../platform/runtime.ts";
import { wrap } from "./client/screen.ts";

/** A command's input and output: results on stdout, everything else on stderr. */
export interface Io {
  /** The only source of time, ids, randomness and threads. */
  readonly runtime: Runtime;
  /** Prints a line of the result. */
  out(line: string): void;
  /** Prints progress, a hint or an error. */
  err(line: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether stdout is a terminal, which gets colours and fitted tables. */
  readonly terminal: boolean;
  /** Width of results, in columns. Unlimited without a terminal, because `grep` needs whole lines. */
  readonly columns: number;
  /** Width of stderr, in columns. */
  readonly errColumns: number;
  /** Number of progress lines that can be rewritten on stderr; 0 without a terminal, where each change is a line. */
  readonly liveRows: number;
  /** Reads all of stdin. Throws exit 2 if it is not text. */
  stdin(): Promise<string>;
  /**
   * Asks a question on the terminal, without echo if `hidden`. Throws exit 130 at Ctrl-C and exit 2 at the end of the
   * input. `undefined` without a terminal.
   */
  readonly ask: ((question: string, hidden?: "hidden") => Promise<string>) | undefined;
}

/** 0 done, 1 other failure, 2 usage, 3 auth (401, 403), 4 quota (402), 130 stopped by Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** An error that ends a command. `message` says what is wrong, `hint` what to do next. */
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

/** UTF-16 byte order marks, since Windows editors and shells may write UTF-16. */
const utf16: readonly (readonly [mark: string, encoding: "utf-16le" | "utf-16be"])[] = [
  ["255,254", "utf-16le"],
  ["254,255", "utf-16be"],
];

/**
 * Decodes text from a file or stdin: UTF-8, or UTF-16 with a byte order mark. Throws exit 2 for other bytes, which
 * would otherwise be sent with replacement characters. `origin` names the source.
 */
export function decoded(bytes: Uint8Array, origin: string): string {
  const [, encoding = "utf-8"] = utf16.find(([mark]) => mark === bytes.subarray(0, 2).join()) ?? [];
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(
      2,
      `${origin} is not UTF-8 text.`,
      "Save it as UTF-8, or convert it, for example with: iconv -f WINDOWS-1250 -t UTF-8",
    );
  }
}

/** Asks a question on stderr, because stdout is for the result. */
async function askOnTerminal(question: string, hidden?: "hidden"): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import("node:readline/promises"),
    import("node:stream"),
  ]);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = hidden ? nowhere : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: hidden !== undefined });
  // Echo must be off before the prompt appears.
  if (hidden) process.stdin.setRawMode(true);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = () => reject(new CommandError(130, "Stopped."));
  // In line mode Ctrl-C is a signal; in raw mode it is a key.
  process.once("SIGINT", stop);
  process.stderr.write(question);
  try {
    lines.once("line", resolve);
    lines.once("SIGINT", stop);
    lines.once("close", () => reject(new CommandError(2, "the input ended before the question was answered")));
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

/** Wraps text between words, keeping its indentation. Coloured text has already been fitted. */
function folded(text: string, columns: number): string {
  if (text.includes("\u001b")) return text;
  const lines = text.split("\n").flatMap((line) => {
    const margin = line.slice(0, line.search(/\S|$/));
    return wrap(line, columns - margin.length).map((part) => margin + part);
  });
  return lines.join("\n");
}

/** Returns the width set by COLUMNS (POSIX, 8.3), else the terminal's, else 80. */
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
  // Evaluated on use: a server must not open stdin needlessly.
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined;
  },
};
