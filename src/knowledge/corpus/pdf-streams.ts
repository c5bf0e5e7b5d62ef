import { inflateSync } from "node:zlib";
import { Refused } from "./blocks.ts";

/** Bytes that one stream of a PDF may unpack to, and all of them together. Its text is read into many times as much. */
const streamAtMost = 16 * 2 ** 20;
const streamsAtMost = 128 * 2 ** 20;
/** A stream's dictionary ends right before it, and is hardly longer. */
const dictionaryBytes = 2048;

/** How many bytes a stream unpacks to; one that is damaged or packed otherwise counts as nothing. Throws `Refused`. */
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
 * Refuses a PDF whose parts unpack to more than text needs, before a reader takes gigabytes for them. Pictures may be
 * large, and aren't unpacked. Throws `Refused`.
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
