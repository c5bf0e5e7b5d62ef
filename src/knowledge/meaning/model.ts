import * as ort from "onnxruntime-web/wasm";
import type { Reading } from "../../contracts/meaning.ts";
import { special } from "./tokenizer.ts";
import type { WeightFiles } from "./weights.ts";
import { dimensions, Words } from "./words.ts";

/** Maximum tokens of a claim or question, and of it with its passage and the marks, as in the reader's training. */
const longestText = 96;
const longestPair = 256;

/**
 * Normalises a text as in the reader's training, without spaces before punctuation, which in one of its data sets would
 * reveal the label. `tools/training/meaning/written.py` does the same.
 */
const tidied = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/ ([.,;:!?%)\]]|n't\b|'s\b)/g, "$1")
    .replace(/([([]) /g, "$1");

/** Decompresses a zstd file. */
const unpacked = async (path: string): Promise<Buffer> => Bun.zstdDecompress(await Bun.file(path).bytes());

/**
 * The meaning models, loaded in a worker thread. Texts are processed one at a time, so that a result never depends on
 * concurrent requests.
 */
export class Model {
  private constructor(
    private readonly words: Words,
    /** The lower layers, shared by encoder and reader. */
    private readonly trunk: ort.InferenceSession,
    private readonly encoder: ort.InferenceSession,
    private readonly reader: ort.InferenceSession,
  ) {}

  /** Throws if a file is damaged or the processor lacks a feature that WASM needs. */
  static async load(files: WeightFiles): Promise<Model> {
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.proxy = false;
    ort.env.wasm.wasmBinary = await Bun.file(files.runtime).arrayBuffer();
    ort.env.logLevel = "error";
    const words = Words.read(Uint8Array.from(await unpacked(files.words)).buffer);
    const session = async (file: string) => ort.InferenceSession.create(await unpacked(file));
    return new Model(words, await session(files.trunk), await session(files.encoder), await session(files.reader));
  }

  /** Returns a text's embedding, of unit length. Questions must start with `query: ` and passages with `passage: `. */
  async vectorOf(text: string): Promise<Float32Array> {
    const ids = [special.begin, ...this.words.tokenizer.encode(text, this.words.longest - 2), special.end];
    const { vector } = await this.encoder.run({ hidden: await this.below(ids) });
    return floatsOf(vector);
  }

  /** Classifies a text against a passage. Both are truncated to the lengths in the reader's training. */
  async read(text: string, passage: string): Promise<Reading> {
    const { begin, end } = special;
    const all = this.words.tokenizer.encode(tidied(text), longestText + 1);
    const first = [begin, ...all.slice(0, longestText), end];
    const second = [end, ...this.words.tokenizer.encode(tidied(passage), longestPair - first.length - 2), end];
    const ids = [...first, ...second];
    const segment = Float32Array.from(ids, (_, at) => (at < first.length ? 0 : 1));
    const { probabilities } = await this.reader.run({
      hidden: await this.below(ids),
      segment: new ort.Tensor("float32", segment, [ids.length]),
    });
    const [entailed = 0, unsaid = 0, denied = 0, answers = 0] = floatsOf(probabilities);
    return { entailed, unsaid, denied, answers, whole: all.length <= longestText };
  }

  private async below(ids: readonly number[]): Promise<ort.Tensor> {
    const embeddings = new ort.Tensor("float32", this.words.rowsOf(ids), [1, ids.length, dimensions]);
    const { hidden } = await this.trunk.run({ embeddings });
    if (!hidden) throw new Error("the trunk model returned no output");
    return hidden;
  }
}

function floatsOf(tensor: ort.Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error("the model returned no 32-bit floats");
  return tensor.data;
}
