import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Refused } from "../../knowledge/corpus/blocks.ts";
import { Failure } from "../../platform/errors.ts";
import { makeFolderDurably, remove, syncFolder, writeDurably } from "../../platform/files.ts";
import { bodyAborted } from "../../web/bounded-body.ts";

/** Maximum size of an upload in bytes; the command line accepts larger files. */
export const uploadBytesAtMost = 32 * 2 ** 20;

/** Number of bytes hashed and written in one turn of the event loop. */
const slice = 2 ** 20;

/** An upload stored on disk. */
export interface Staged {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly content_sha256: string;
}

/** Yields a body in slices. Throws `payload_too_large`, or `validation_error` if the body is cut off. */
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

/** Uploaded files awaiting import, by import id. Each is either complete or absent. */
export class Uploads {
  constructor(private readonly folder: string) {}

  private path(id: string): string {
    return join(this.folder, id);
  }

  /**
   * Stores a file as it arrives; it is on disk when this resolves. Throws `payload_too_large`, `validation_error` if
   * the upload is cut off, and disk errors.
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

  /** Returns its bytes. Throws `Refused` if it is missing, such as after restoring a backup. */
  async read(id: string): Promise<Uint8Array> {
    const file = Bun.file(this.path(id));
    if (!(await file.exists())) throw new Refused("missing", "its content is no longer on the server: send it again");
    return file.bytes();
  }

  async discard(id: string): Promise<void> {
    await remove(this.path(id));
  }

  /** Deletes all files not in `needed`: partial uploads after a crash, and files already imported. */
  async sweep(needed: ReadonlySet<string>): Promise<void> {
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder)) if (!needed.has(name)) await remove(join(this.folder, name));
    await syncFolder(this.folder);
  }
}
