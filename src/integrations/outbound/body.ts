import type { IncomingMessage } from "node:http";
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { OutboundError } from "./types.ts";

/** Reads a body in chunks, limiting its size both as received and decompressed. */

const broken = () => new OutboundError("decompression", "The response's compression is invalid or unknown.", false);
const tooLarge = () => new OutboundError("too_large", "The response is too large.", false);
const brokenOff = () =>
  new OutboundError("connection_failed", "The host closed the connection before its response was complete.", true);

function unpackerFor(encoding: string, first: number): Transform | undefined {
  if (encoding === "" || encoding === "identity") return undefined;
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  // Some servers send deflate without its zlib header, against RFC 9110; the first byte shows it.
  if (encoding === "deflate") return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
  if (encoding === "br") return createBrotliDecompress();
  throw broken();
}

async function* arriving(message: IncomingMessage, bytes_max: number): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  for (let bytes = 0; ; ) {
    const next = await pieces.next().catch(() => {
      throw brokenOff();
    });
    if (next.done) return;
    bytes += next.value.byteLength;
    if (bytes > bytes_max) throw tooLarge();
    yield next.value;
  }
}

async function* led(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

async function collect(pieces: AsyncIterable<Uint8Array>, bytes_max: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > bytes_max) throw tooLarge();
    kept.push(piece);
  }
  return new Uint8Array(Buffer.concat(kept));
}

/**
 * Returns the decompressed body of a response. Throws `too_large`, `decompression` or `connection_failed`. A
 * compression bomb costs at most `bytes_max` and a few chunks.
 */
export async function readBody(message: IncomingMessage, bytes_max: number): Promise<Uint8Array> {
  if (Number(message.headers["content-length"] ?? 0) > bytes_max) throw tooLarge();
  const rest = arriving(message, bytes_max);
  const first = await rest.next();
  if (first.done) return new Uint8Array();
  const encoding = (message.headers["content-encoding"] ?? "").trim().toLowerCase();
  const unpacker = unpackerFor(encoding, first.value[0] ?? 0);
  if (!unpacker) return collect(led(first.value, rest), bytes_max);
  // Its errors surface on the decompressor, which is what is read.
  pipeline(Readable.from(led(first.value, rest)), unpacker, () => {});
  try {
    return await collect(unpacker, bytes_max);
  } catch (error) {
    throw error instanceof OutboundError ? error : broken();
  }
}
