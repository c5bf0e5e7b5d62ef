import { Unzip, UnzipInflate } from "fflate";
import { Refused } from "./blocks.ts";

/** Bytes that the parts of a document may have together, unpacked. A few kilobytes can stand for gigabytes. */
const unpackedAtMost = 64 * 2 ** 20;
/** Handed to the unpacker at once: what this can swell to is held before the limit is looked at. */
const piece = 16_384;

const wanted = new Set(["word/document.xml", "word/styles.xml", "word/numbering.xml", "docProps/core.xml"]);

const oldOffice = [0xd0, 0xcf, 0x11, 0xe0];

/** Unpacks the parts of a DOCX file that hold its text, and stops as soon as they are too large. Throws `Refused`. */
export function docxParts(bytes: Uint8Array): ReadonlyMap<string, string> {
  if (oldOffice.every((byte, i) => bytes[i] === byte))
    throw new Refused("encrypted", "it is encrypted, or of the old Word format: save it as DOCX without a password");
  const parts = new Map<string, Uint8Array[]>();
  const done = new Set<string>();
  let total = 0;
  const unzip = new Unzip((file) => {
    if (!wanted.has(file.name)) return;
    const pieces: Uint8Array[] = [];
    parts.set(file.name, pieces);
    file.ondata = (error, data, final) => {
      // The unpacker hands back what was thrown here.
      if (error) throw error instanceof Refused ? error : new Refused("broken", "its archive is damaged");
      total += data.length;
      if (total > unpackedAtMost)
        throw new Refused("too_large", `it unpacks to more than ${unpackedAtMost / 2 ** 20} MiB`);
      pieces.push(data);
      if (final) done.add(file.name);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += piece)
      unzip.push(bytes.subarray(at, at + piece), at + piece >= bytes.length);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("broken", "its archive is damaged");
  }
  if (!done.has("word/document.xml")) throw new Refused("broken", "it is no Word document, or only a part of one");
  return new Map([...parts].map(([name, pieces]) => [name, new TextDecoder().decode(Buffer.concat(pieces))]));
}
