import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { tryWriting } from "../platform/files.ts";
import { codeOf } from "../platform/system-errors.ts";
import { checksumFile } from "./checksum.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { unwritable } from "./file-trouble.ts";
import { type Paths, pathsOf, withStore } from "./installation.ts";
import { CommandError } from "./io.ts";
import { writeBackup } from "./upgrade.ts";

/** SQLite's error codes for problems with the database itself. */
const damage = /^SQLITE_(NOTADB|CORRUPT|BUSY|LOCKED)/;

/** Explains a failed copy. The database could be opened, so any error but `damage` concerns the new file. */
const unwritten = (error: unknown, file: string): unknown =>
  damage.test(codeOf(error) ?? "") ? error : unwritable(error, `the backup can't be written to ${file}`);

/** Writes a consistent snapshot of the database to `file`, with a checksum file next to it. A server may be writing. */
async function backUp(paths: Paths, file: string) {
  for (const name of [file, checksumFile(file)])
    if (existsSync(name))
      throw new CommandError(2, `${name} already exists`, "Name another file: nothing is overwritten.");
  await tryWriting(file).catch((error: unknown) => {
    throw unwritten(error, file);
  });
  const sha256 = await withStore(paths, () =>
    writeBackup(paths.database, file).catch((error: unknown) => {
      throw unwritten(error, file);
    }),
  );
  return { file, bytes: statSync(file).size, sha256 };
}

/** `assay backup FILE` */
export function register(program: Command, { io, configure }: Context): void {
  program
    .command("backup")
    .description("Back up the database to a file, with a checksum next to it; the server can keep running")
    .argument("<file>", "a file that does not exist yet")
    .option("--json", jsonHelp)
    .action(async (file: string, flags: { json?: boolean }) => {
      const paths = pathsOf(configure().settings);
      const made = await backUp(paths, resolve(file));
      if (flags.json) printJson(io, made);
      else io.out(`${made.file} (${made.bytes} bytes, SHA-256 ${made.sha256})`);
      if (existsSync(paths.datasets))
        io.err(
          `The backup does not include the rows of imported datasets. Copy this folder too, or import them again: ${paths.datasets}`,
        );
      io.err(
        `The backup does not include the master key. Keep a copy of it elsewhere: ${paths.masterKey}, or your master_key.`,
      );
    });
}
