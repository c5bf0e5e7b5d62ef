import { join, resolve } from "node:path";

const root = join(import.meta.dir, "..", "..");

/**
 * Returns the command line to run as a separate process: the executable named by UNDER_TEST, which starts faster, else
 * the sources.
 */
export const commandLine = (args: readonly string[]): string[] => [
  ...(process.env.UNDER_TEST
    ? [resolve(root, process.env.UNDER_TEST)]
    : [process.execPath, join(root, "src", "main.ts")]),
  ...args,
];
