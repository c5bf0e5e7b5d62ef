import { join, resolve } from "node:path";

const root = join(import.meta.dir, "..", "..");

/** What is tried as a process of its own: the executable that UNDER_TEST names, which starts sooner, else the sources. */
export const commandLine = (args: readonly string[]): string[] => [
  ...(process.env.UNDER_TEST
    ? [resolve(root, process.env.UNDER_TEST)]
    : [process.execPath, join(root, "src", "main.ts")]),
  ...args,
];
