import { bestEncoding, type Encoding } from "../../web/encoding.ts";

/** Where one file of the console lies in the archive: its bytes by encoding, as offset and length. */
interface Entry {
  readonly type: string;
  readonly etag: string;
  readonly parts: Readonly<Record<Encoding, readonly [offset: number, length: number]>>;
}

/** What the browser's program is made of. */
export interface Contents {
  /** The files that the page itself names. */
  readonly scripts: readonly string[];
  /** What the scripts import before anything else, and what that imports. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  /** Every file, by its name, which holds a digest of its content. */
  readonly files: Readonly<Record<string, Entry>>;
}

/** The contents, beside the path of the file that holds their bytes. */
export interface Packed extends Contents {
  readonly path: string;
}

/** A file that the bundler made, before it is packed. */
export interface BundledFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** Its bytes as they go over the wire. */
  readonly encoded: Readonly<Record<Encoding, Uint8Array>>;
}

/** What is served of a file: its bytes in an encoding that the caller takes. */
export interface Served {
  readonly body: Blob | Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding | "identity";
  readonly type: string;
  readonly etag: string;
}

/** Lays files one after the other, for the build and for a start from source. */
export function pack(files: readonly BundledFile[]): { files: Contents["files"]; bytes: Uint8Array<ArrayBuffer> } {
  const chunks: Uint8Array[] = [];
  const entries: Record<string, Entry> = {};
  let offset = 0;
  const add = (bytes: Uint8Array): readonly [number, number] => {
    const at = offset;
    chunks.push(bytes);
    offset += bytes.byteLength;
    return [at, bytes.byteLength];
  };
  for (const { name, type, etag, encoded } of files)
    entries[name] = { type, etag, parts: { br: add(encoded.br), gzip: add(encoded.gzip) } };
  const bytes = new Uint8Array(offset);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return { files: entries, bytes };
}

/** Reads one file out of the archive, and nothing else of it; undefined: there is none of this name. */
export async function read(
  contents: Contents,
  archive: Blob,
  name: string,
  acceptEncoding: string | null,
): Promise<Served | undefined> {
  const entry = Object.hasOwn(contents.files, name) ? contents.files[name] : undefined;
  if (!entry) return undefined;
  const { type, etag, parts } = entry;
  const encoding = bestEncoding(acceptEncoding);
  const [from, length] = parts[encoding === "identity" ? "gzip" : encoding];
  const body = archive.slice(from, from + length);
  if (encoding !== "identity") return { body, encoding, type, etag };
  return { body: Bun.gunzipSync(await body.arrayBuffer()), encoding, type, etag };
}
