import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { likelyCodePage } from "../../knowledge/corpus/decode.ts";
import { FileRefused } from "./refusal.ts";

/** Reads a file's text in pieces, with its encoding detected from all of its bytes. Holds only a piece in memory. */

const piece = 1 << 18;
const gzip = [0x1f, 0x8b];

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const starts = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, i) => bytes[i] === byte);

/** Returns the first raw bytes of a file. */
export const headOf = async (file: string, length: number): Promise<Uint8Array> =>
  new Uint8Array(await Bun.file(file).slice(0, length).arrayBuffer());

/** Yields a file's bytes, decompressed if it is gzip. Throws `FileRefused` if the gzip data is damaged or truncated. */
export async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file, { highWaterMark: piece });
  const isPacked = starts(await headOf(file, 2), gzip);
  const unpacked = isPacked ? source.pipe(createGunzip({ chunkSize: piece })) : source;
  try {
    for await (const bytes of unpacked) yield bytes;
  } catch (error) {
    if (!isPacked) throw error;
    throw new FileRefused("truncated", "its compressed content is damaged or cut off", "Download the file again.");
  } finally {
    source.destroy();
  }
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns the dominant encoding of a file that is only partly UTF-8; the other lines are refused one by one. */
function mixed(bytes: Uint8Array, hadLetters: boolean): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  const [good, bad] = [count(text, /(?!\ufffd)\P{ASCII}/gu), count(text, /\ufffd/g)];
  return hadLetters || good > bad ? "utf-8" : likelyCodePage(bytes);
}

/** Detects the encoding of a whole file: by its byte-order mark, UTF-8 if valid, otherwise the likeliest code page. */
async function encodingIn(file: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let hadLetters = false;
  let first = true;
  for await (const bytes of bytesOf(file)) {
    const [, marked] = (first && marks.find(([mark]) => starts(bytes, mark))) || [];
    if (marked !== undefined && marked !== "utf-8") return marked;
    if (first && bytes.subarray(0, 4096).includes(0))
      throw new FileRefused("format", "it is not text", "Import a CSV, TSV, JSON-stat or XLSX file.");
    first = false;
    try {
      const text = decoder.decode(bytes, { stream: true });
      hadLetters ||= /\P{ASCII}/u.test(text);
    } catch {
      return mixed(bytes, hadLetters);
    }
  }
  return "utf-8";
}

/** An opened text file. */
export interface TextFile {
  readonly encoding: string;
  /** Its first characters. */
  readonly head: string;
  text(): Readable;
}

async function* decoded(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding as Bun.Encoding);
  for await (const bytes of bytesOf(file)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** Returns a pattern of UTF-8 letters and signs misread in a code page: sequences of two or three characters. */
function straysIn(encoding: string): RegExp {
  const page = (from: number, to: number): string =>
    new TextDecoder(encoding as Bun.Encoding).decode(Uint8Array.from({ length: to - from + 1 }, (_, i) => from + i));
  const more = `[${page(0x80, 0xbf)}]`;
  return new RegExp(`[${page(0xc2, 0xc5)}]${more}|${page(0xe2, 0xe2)}${more}{2}`, "g");
}

/** Replaces letters that are in a different encoding than the file with U+FFFD, so that their cells are refused. */
async function* withoutStrays(texts: AsyncIterable<string>, strays: RegExp): AsyncGenerator<string> {
  let tail = "";
  for await (const text of texts) {
    const all = (tail + text).replace(strays, "\ufffd");
    // A letter's first characters at the end of a piece may continue in the next.
    tail = all.slice(-2);
    yield all.slice(0, -2);
  }
  yield tail;
}

/** Opens a text file in the given or detected encoding. Throws `FileRefused`. */
export async function openText(file: string, said: string | undefined): Promise<TextFile> {
  const encoding = said ?? (await encodingIn(file));
  try {
    new TextDecoder(encoding as Bun.Encoding);
  } catch {
    throw new FileRefused("format", `the encoding ${encoding} is unknown`, "Use utf-8, windows-1250, iso-8859-1 …");
  }
  const strays = said === undefined && !encoding.startsWith("utf-") ? straysIn(encoding) : undefined;
  const text = () => (strays ? withoutStrays(decoded(file, encoding), strays) : decoded(file, encoding));
  let head = "";
  for await (const more of text()) {
    head += more;
    if (head.length >= 65_536) break;
  }
  if (head.trim() === "") throw new FileRefused("empty", "it is empty", "Export it again.");
  return { encoding, head, text: () => Readable.from(text()) };
}
