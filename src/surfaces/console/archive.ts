import { bestEncoding, type Encoding } from "../../web/encoding.ts";

/** The location of a file in the archive: offset and length of its bytes in each encoding. */
interface Entry {
  readonly type: string;
  readonly etag: string;
  readonly parts: Readonly<Record<Encoding, readonly [offset: number, length: number]>>;
}

/** The contents of the console's browser bundle. */
export interface Contents {
  /** Files that the HTML page references. */
  readonly scripts: readonly string[];
  /** Files that the scripts import statically, directly or indirectly. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  /** All files by name. A name contains a digest of the content. */
  readonly files: Readonly<Record<string, Entry>>;
}

/** The contents, with the path of the file that holds their bytes. */
export interface Packed extends Contents {
  readonly path: string;
}

/** A file from the bundler, before it is packed. */
export interface BundledFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** Its compressed bytes, by encoding. */
  readonly encoded: Readonly<Record<Encoding, Uint8Array>>;
}

/** A file as served: its bytes in an encoding that the client accepts. */
export interface Served {
  readonly body: Blob | Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding | "identity";
  readonly type: string;
  readonly etag: string;
}

/** Concatenates files into an archive. Used by the build and when running from source. */
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

/** Reads one file from the archive, without reading the rest. Undefined if there is no file of that name. */
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
