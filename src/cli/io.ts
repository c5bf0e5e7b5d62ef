/** What a command talks through: results on stdout, everything else on stderr. */
export interface Io {
  /** A line of the result. */
  out(line: string): void;
  /** Progress, hints, errors. */
  err(line: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether people read stdout: colour, tables that fit, no JSON by default. */
  readonly terminal: boolean;
  /** The terminal's width in columns. */
  readonly columns: number;
  /** Everything on stdin. */
  stdin(): Promise<string>;
}

/** 0 done, 1 other failure, 2 usage, 3 auth (401, 403), 4 quota (402). */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

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

export const processIo: Io = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
  terminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
  stdin: () => Bun.stdin.text(),
};
