import { inflateSync } from "node:zlib";
import { Refused } from "./blocks.ts";

/** Maximum decompressed bytes of one stream and of all. Extracted text takes many times as much. */
const streamAtMost = 16 * 2 ** 20;
const streamsAtMost = 128 * 2 ** 20;
/** Maximum size, in bytes, of a stream's dictionary, which ends right before the stream. */
const dictionaryBytes = 2048;

/** Returns the decompressed bytes of a stream; 0 if it is damaged or compressed otherwise. Throws `Refused`. */
function unpackedBytes(packed: Uint8Array): number {
  try {
    return inflateSync(packed, { maxOutputLength: streamAtMost }).length;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw new Refused("too_large", `a part of it unpacks to more than ${streamAtMost / 2 ** 20} MiB`);
    return 0;
  }
}

/**
 * Refuses a PDF whose streams decompress to more than text needs, before the parser would use gigabytes for them.
 * Images may be large and are not decompressed. Throws `Refused`.
 */
export function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let total = 0;
  for (let at = file.indexOf("stream"); at >= 0; ) {
    const end = file.indexOf("endstream", at);
    if (end < 0) return;
    const dictionary = file.subarray(Math.max(0, at - dictionaryBytes), at).toString("latin1");
    const own = dictionary.slice(dictionary.lastIndexOf(" obj"));
    const from = at + (file[at + 6] === 0x0d ? 8 : 7);
    if (!/\/Subtype\s*\/Image\b/.test(own)) total += unpackedBytes(file.subarray(from, end));
    if (total > streamsAtMost) throw new Refused("too_large", `it unpacks to more than ${streamsAtMost / 2 ** 20} MiB`);
    at = file.indexOf("stream", end + 9);
  }
}
