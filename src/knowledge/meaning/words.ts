import { Tokenizer } from "./tokenizer.ts";

/** Number of components of an embedding. */
export const dimensions = 384;
/** Size of a packed block in components and in bytes: a scale factor, then two 4-bit components per byte. */
const blockLength = 32;
const blockBytes = 18;
const rowBytes = (dimensions / blockLength) * blockBytes;
const magic = 0x4d575341;

/**
 * The vocabulary with its embedding table: `weights/words.bin.zst`. Rows stay quantised to 4 bits, as published, and
 * are unpacked when a text contains the token. Position embeddings are 16-bit floats.
 */
export class Words {
  readonly tokenizer: Tokenizer;
  /** Maximum number of tokens of a text. */
  readonly longest: number;

  private constructor(
    tokenizer: Tokenizer,
    private readonly positions: Float16Array,
    private readonly rows: Uint8Array,
  ) {
    this.tokenizer = tokenizer;
    this.longest = positions.length / dimensions;
  }

  /** Throws if the file is not in the format that `tools/training/meaning` writes. */
  static read(file: ArrayBuffer): Words {
    const [mark, count = 0, bytes = 0, longest = 0] = new Uint32Array(file, 0, 4);
    if (mark !== magic) throw new Error("words.bin is damaged");
    const aligned = (length: number) => Math.ceil(length / 4) * 4;
    const lengthsAt = 16 + count * 4;
    const textAt = lengthsAt + aligned(count);
    const positionsAt = textAt + aligned(bytes);
    const rowsAt = positionsAt + longest * dimensions * 2;
    if (file.byteLength !== rowsAt + count * rowBytes) throw new Error("words.bin is damaged");
    const lengths = new Uint8Array(file, lengthsAt, count);
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    let at = textAt;
    for (const length of lengths) {
      pieces.push(decoder.decode(new Uint8Array(file, at, length)));
      at += length;
    }
    return new Words(
      new Tokenizer(pieces, new Float32Array(file, 16, count)),
      new Float16Array(file, positionsAt, longest * dimensions),
      new Uint8Array(file, rowsAt),
    );
  }

  /** Returns the embeddings of tokens at their positions, row by row: the input of the models. */
  rowsOf(ids: readonly number[]): Float32Array {
    const found = new Float32Array(ids.length * dimensions);
    for (const [place, id] of ids.entries()) this.unpack(id, place, found);
    return found;
  }

  private unpack(id: number, place: number, into: Float32Array): void {
    const view = new DataView(this.rows.buffer, this.rows.byteOffset + id * rowBytes, rowBytes);
    const base = place * dimensions;
    for (let block = 0; block < dimensions / blockLength; block++) {
      const factor = view.getFloat16(block * blockBytes, true);
      for (let i = 0; i < blockLength / 2; i++) {
        const two = view.getUint8(block * blockBytes + 2 + i);
        const at = block * blockLength + i;
        into[base + at] = ((two & 15) - 8) * factor + (this.positions[base + at] ?? 0);
        const other = at + blockLength / 2;
        into[base + other] = ((two >> 4) - 8) * factor + (this.positions[base + other] ?? 0);
      }
    }
  }
}
