import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Distinct words of the starter documents in order: the most that a question can contain. */
const folder = join(import.meta.dir, "..", "..", "src", "knowledge", "corpus", "starter");
const text = readdirSync(folder)
  .filter((file) => file.startsWith("cs-"))
  .map((file) => readFileSync(join(folder, file), "utf8"))
  .join("\n");
export const insuranceWords = [...new Set(text.match(/\p{L}{5,}/gu))].join(" ");
