import chardet from "chardet";
import { Refused } from "./blocks.ts";

/** Encodings to try for a file that has no byte-order mark and is not UTF-8. */
const singleByte = ["windows-1250", "iso-8859-2", "windows-1252"] as const;
/** Number of bytes inspected to determine the encoding. */
const looked = 65_536;

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

const starts = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, i) => bytes[i] === byte);

const decodeStrictly = (bytes: Uint8Array, encoding: Bun.Encoding): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Detects UTF-16 without a byte-order mark by the zero bytes of its Latin letters. */
function unmarkedUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  const length = Math.min(bytes.length, looked);
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length / 5 && even < length / 50) return "utf-16le";
  return even > length / 5 && odd < length / 50 ? "utf-16be" : undefined;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Returns a score of how implausible a decoded text is. Control characters and symbols inside words indicate a wrong
 * code page. Letters specific to one group (Polish, Czech and Slovak, western) rarely occur in the text of another.
 */
function oddity(text: string): number {
  const inside = count(text, /(?<=\p{L})[^\p{L}\p{M}\p{N}\s.,;:!?()[\]/'’"“”„«»\-–—&@_%§+*°€]+(?=\p{L})/gu);
  const polish = count(text, /[łŁęĘżŻćĆńŃ]/g);
  const czech = count(text, /[ěřůĚŘŮ]/g);
  const western = count(text, /[ßÄÖÜäöüèêàçñæøå]/g);
  const foreign =
    (polish > czech ? count(text, /[šžťľ]/g) : 0) +
    (czech > polish ? count(text, /[ąśźĽľèêñæøå]/g) : 0) +
    (western > czech + polish ? count(text, /[ěřůŕĺăŢţ]/g) : count(text, /[èìùõûøñÈÌÙ]/g));
  return 10 * count(text, /[^\P{Cc}\t\n\f\r]|\ufffd/gu) + 5 * inside + 3 * foreign;
}

/** Returns the code page whose decoding of the first bytes is the most plausible. chardet breaks ties. */
export function likelyCodePage(bytes: Uint8Array): string {
  const head = bytes.subarray(0, looked);
  const confidence = new Map(
    chardet
      .analyse(head)
      .map(({ name, confidence }) => [name.toLowerCase().replace("iso-8859-1", "windows-1252"), confidence]),
  );
  const ranked = singleByte
    .map((name) => ({ name, odd: oddity(new TextDecoder(name).decode(head)), sure: confidence.get(name) ?? 0 }))
    .sort((a, b) => a.odd - b.odd || b.sure - a.sure);
  return ranked[0]?.name ?? "windows-1252";
}

/** Checks whether the bytes are not text, such as an image or an archive with a text file's extension. */
const isBinary = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, looked);
  let odd = 0;
  for (const byte of head) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) odd++;
  return odd > head.length / 100;
};

/**
 * Decodes a file's text. Tries, in order: its byte-order mark, the encoding that it `declares` itself (HTML), UTF-8 if
 * valid, UTF-16 without a byte-order mark, and the most plausible single-byte code page of central and western Europe.
 * Throws `Refused`.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  for (const [mark, encoding] of marks)
    if (starts(bytes, mark)) {
      const text = decodeStrictly(bytes.subarray(mark.length), encoding as Bun.Encoding);
      if (text === undefined)
        throw new Refused(
          "broken",
          `its byte-order mark declares ${encoding}, but its content is not: save it as UTF-8`,
        );
      return text;
    }
  const utf8 = bytes.includes(0) ? undefined : decodeStrictly(bytes, "utf-8");
  if (utf8 !== undefined) return utf8;
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const text = tryDeclared(bytes, declared);
    if (text !== undefined) return text;
  }
  const wide = unmarkedUtf16(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  if (isBinary(bytes))
    throw new Refused("encoding", "it is not text, or its encoding is not supported: save it as UTF-8");
  return new TextDecoder(likelyCodePage(bytes) as Bun.Encoding).decode(bytes);
}

function tryDeclared(bytes: Uint8Array, declared: string): string | undefined {
  try {
    return decodeStrictly(bytes, declared as Bun.Encoding);
  } catch {
    return undefined;
  }
}
