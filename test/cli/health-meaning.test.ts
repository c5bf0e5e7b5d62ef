import { expect, test } from "bun:test";
import { meaningCheck } from "../../src/cli/health/meaning.ts";

const told = (meaning: "on" | "off", isBuiltIn: boolean, mebibytes: number) => {
  const { state, found } = meaningCheck({ meaning }, { isBuiltIn, available: mebibytes * 2 ** 20 });
  return `${state}: ${found}`;
};

test("doctor reports whether the meaning models are available, and what they lack", () => {
  expect(told("on", true, 4_000)).toBe("ok: loaded on first use");
  expect(told("off", true, 100)).toBe("ok: switched off: texts are compared by words only");
  expect(told("on", false, 4_000)).toBe("ok: not in this executable: texts are compared by words only");
  expect(told("on", true, 100)).toBe("warn: not loaded: 100 MiB of memory free, 600 MiB needed");
});
