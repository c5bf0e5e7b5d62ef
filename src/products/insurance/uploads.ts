import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Refused } from "../../knowledge/corpus/blocks.ts";
import { Failure } from "../../platform/errors.ts";
import { makeFolderDurably, remove, syncFolder, writeDurably } from "../../platform/files.ts";
import { bodyAborted } from "../../web/bounded-body.ts";

/** Bytes of a file that the server takes; the terminal's importer takes larger ones. */
export const uploadBytesAtMost = 32 * 2 ** 20;

/** Bytes that are hashed and written in one turn of the event loop. */
const slice = 2 ** 20;

/** What arrived of a file. */
export interface Staged {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly content_sha256: string;
}

/** Hashes a body as it is read. Throws `payload_too_large`, and `validation_error` for one that breaks off. */
async function* bounded(body: AsyncIterable<Uint8Array>, arrived: (part: Uint8Array) => void) {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > uploadBytesAtMost) throw new Failure("payload_too_large");
      for (let from = 0; from < chunk.length; from += slice) {
        const part = chunk.subarray(from, from + slice);
        arrived(part);
        yield part;
      }
    }
  } catch (error) {
    throw error instanceof Failure ? error : bodyAborted();
  }
}

/** The files that were sent and are not imported yet, by the id of their import. Each is whole or not there. */
export class Uploads {
  constructor(private readonly folder: string) {}

  private path(id: string): string {
    return join(this.folder, id);
  }

  /**
   * Keeps a file as it arrives: when this resolves it is on disk. Throws `payload_too_large`, `validation_error` for one
   * that breaks off, and what the disk throws.
   */
  async stage(id: string, body: AsyncIterable<Uint8Array> | null): Promise<Staged> {
    const hash = createHash("sha256");
    let bytes = 0;
    const arriving = bounded(body ?? new Blob().stream(), (part) => {
      hash.update(part);
      bytes += part.length;
    });
    await makeFolderDurably(this.folder, 0o700);
    await writeDurably(this.path(id), arriving, { mode: 0o600, replace: false });
    return { bytes, content_sha256: hash.digest("hex") };
  }

  /** Its bytes. Throws `Refused` where it is gone, as after a backup was restored. */
  async read(id: string): Promise<Uint8Array> {
    const file = Bun.file(this.path(id));
    if (!(await file.exists())) throw new Refused("missing", "its content is gone from the server: send it again");
    return file.bytes();
  }

  async discard(id: string): Promise<void> {
    await remove(this.path(id));
  }

  /** Takes out all that is nobody's: what a kill left half written, and what was imported already. */
  async sweep(needed: ReadonlySet<string>): Promise<void> {
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder)) if (!needed.has(name)) await remove(join(this.folder, name));
    await syncFolder(this.folder);
  }
}
