import * as ort from "onnxruntime-web/wasm";
import { special } from "./tokenizer.ts";
import type { WeightFiles } from "./weights.ts";
import { dimensions, Words } from "./words.ts";

const bytesOf = (path: string): Promise<ArrayBuffer> => Bun.file(path).arrayBuffer();

/**
 * The model of meaning, in the thread that loads it. Texts are read one at a time, so that a result never depends on
 * what else was asked.
 */
export class Model {
  private constructor(
    private readonly words: Words,
    /** The model's two halves, each a file of its own. */
    private readonly trunk: ort.InferenceSession,
    private readonly encoder: ort.InferenceSession,
  ) {}

  /** Throws where a file is damaged or the processor lacks what WASM needs. */
  static async load(files: WeightFiles): Promise<Model> {
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.proxy = false;
    ort.env.wasm.wasmBinary = await bytesOf(files.runtime);
    ort.env.logLevel = "error";
    const words = Words.read(await bytesOf(files.words));
    const session = async (file: string) => ort.InferenceSession.create(new Uint8Array(await bytesOf(file)));
    return new Model(words, await session(files.trunk), await session(files.encoder));
  }

  /** The vector of a text, of unit length. Questions begin with `query: `, passages with `passage: `. */
  async vectorOf(text: string): Promise<Float32Array> {
    const ids = [special.begin, ...this.words.tokenizer.encode(text, this.words.longest - 2), special.end];
    const { vector } = await this.encoder.run({ hidden: await this.below(ids) });
    return floatsOf(vector);
  }

  private async below(ids: readonly number[]): Promise<ort.Tensor> {
    const embeddings = new ort.Tensor("float32", this.words.rowsOf(ids), [1, ids.length, dimensions]);
    const { hidden } = await this.trunk.run({ embeddings });
    if (!hidden) throw new Error("the trunk gave nothing");
    return hidden;
  }
}

function floatsOf(tensor: ort.Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error("the model gave no numbers");
  return tensor.data;
}
