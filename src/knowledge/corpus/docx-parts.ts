import { Unzip, UnzipInflate } from "fflate";
import { Refused } from "./blocks.ts";

/**
 * Maximum total size of a document's parts, decompressed, in bytes. A few kilobytes can expand to gigabytes, and each
 * mebibyte costs up to 0.1 s and 23 MiB to read, measured with sixteen shapes of document; this limit stays within the
 * computation's budget. A thousand pages from a word processor take about ten mebibytes.
 */
const unpackedAtMost = 24 * 2 ** 20;
/** Number of bytes passed to the decompressor at once. All of their output is in memory before the limit is checked. */
const stepBytes = 16_384;

const partNames = ["document", "styles", "numbering", "footnotes", "endnotes"] as const;
export type PartName = (typeof partNames)[number] | "core";
const files: ReadonlyMap<string, PartName> = new Map([
  ...partNames.map((name) => [`word/${name}.xml`, name] as const),
  ["docProps/core.xml", "core"] as const,
]);

/** A part's bytes, in decompressed pieces. */
export type Part = readonly Uint8Array[];

const oldOffice = [0xd0, 0xcf, 0x11, 0xe0];

/** Decompresses the parts of a DOCX file that contain its text, stopping once they are too large. Throws `Refused`. */
export function docxParts(bytes: Uint8Array): ReadonlyMap<PartName, Part> {
  if (oldOffice.every((byte, i) => bytes[i] === byte))
    throw new Refused("encrypted", "it is encrypted or in the old Word format: save it as DOCX without a password");
  const parts = new Map<PartName, Uint8Array[]>();
  const done = new Set<PartName>();
  let total = 0;
  const unzip = new Unzip((file) => {
    const name = files.get(file.name);
    if (name === undefined) return;
    const part: Uint8Array[] = [];
    parts.set(name, part);
    file.ondata = (error, data, final) => {
      // The decompressor also passes errors thrown here back to this callback.
      if (error) throw error instanceof Refused ? error : new Refused("broken", "its archive is damaged");
      total += data.length;
      if (total > unpackedAtMost)
        throw new Refused("too_large", `it unpacks to more than ${unpackedAtMost / 2 ** 20} MiB`);
      part.push(data);
      if (final) done.add(name);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += stepBytes)
      unzip.push(bytes.subarray(at, at + stepBytes), at + stepBytes >= bytes.length);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("broken", "its archive is damaged");
  }
  if (!done.has("document")) throw new Refused("broken", "it is not a Word document, or it is incomplete");
  return parts;
}
