import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolderDurably } from "../../platform/files.ts";

/** The folder of tables' rows: one file per table, named by the table's id. */
export class DatasetFolder {
  constructor(readonly path: string) {}

  fileOf(id: string): string {
    return join(this.path, `${id}.table`);
  }

  draftOf(id: string): string {
    return join(this.path, `${id}.draft`);
  }

  has(id: string): boolean {
    return existsSync(this.fileOf(id));
  }

  /** Returns the size of a table's file in bytes; 0 if it is missing. */
  sizeOf(id: string): number {
    return this.has(id) ? statSync(this.fileOf(id)).size : 0;
  }

  make(): Promise<void> {
    return makeFolderDurably(this.path, 0o700);
  }

  /** Removes leftovers of interrupted imports and the files of tables that are no longer known. */
  sweep(known: ReadonlySet<string>): void {
    if (!existsSync(this.path)) return;
    for (const name of readdirSync(this.path)) {
      const [, id, kind] = /^(.+)\.(table|draft)(?:-journal)?$/.exec(name) ?? [];
      if (kind === "draft" || (kind === "table" && id !== undefined && !known.has(id)))
        rmSync(join(this.path, name), { force: true });
    }
  }
}
