import runtime from "onnxruntime-web/ort-wasm-simd-threaded.wasm" with { type: "file" };
import encoder from "./weights/encoder.onnx.zst" with { type: "file" };
import reader from "./weights/reader.onnx.zst" with { type: "file" };
import trunk from "./weights/trunk.onnx.zst" with { type: "file" };
import words from "./weights/words.bin.zst" with { type: "file" };

/** Paths of the models' files, in the repository or in the executable. All but the runtime are compressed with zstd. */
export interface WeightFiles {
  readonly runtime: string;
  readonly words: string;
  readonly trunk: string;
  readonly encoder: string;
  readonly reader: string;
}

/** Null in an executable built with `--without-models`: `build.ts` substitutes another module for this one. */
export const weightFiles: WeightFiles | null = { runtime, words, trunk, encoder, reader };
