import runtime from "onnxruntime-web/ort-wasm-simd-threaded.wasm" with { type: "file" };
import encoder from "./weights/encoder.onnx.zst" with { type: "file" };
import reader from "./weights/reader.onnx.zst" with { type: "file" };
import trunk from "./weights/trunk.onnx.zst" with { type: "file" };
import words from "./weights/words.bin.zst" with { type: "file" };

/** Where the models' files lie, in the repository or in the executable: all but the runtime compressed by zstd. */
export interface WeightFiles {
  readonly runtime: string;
  readonly words: string;
  readonly trunk: string;
  readonly encoder: string;
  readonly reader: string;
}

/** Null in an executable built with `--without-models`: `build.ts` puts another module here. */
export const weightFiles: WeightFiles | null = { runtime, words, trunk, encoder, reader };
