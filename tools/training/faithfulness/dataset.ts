import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A labelled answer. `group`, its source document, must not be split between training and testing. */
export interface Row {
  readonly set: string;
  readonly group: string;
  readonly question: string;
  readonly answer: string;
  readonly sources: readonly string[];
  readonly faithful: boolean;
}

/** The data sets, named after their files (`<name>-train.jsonl`). */
export const dataSets = ["aggrefact", "ctkfacts", "begin", "halueval-qa"] as const;

const Line = T.Object({
  question: T.String(),
  sources: T.Array(T.String()),
  response: T.String(),
  hallucinated: T.Boolean(),
  art: T.Optional(T.String()),
});

/** Reads one data set from a folder, for training and the bench. Throws if a line does not have the expected shape. */
export function readRows(folder: string, set: string): Row[] {
  return readFileSync(join(folder, `${set}-train.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { question, sources, response, hallucinated, art } = Value.Parse(Line, JSON.parse(line));
      // Rows whose documents begin with the same text, ignoring white space, belong together.
      const group = art ?? (sources[0] ?? "").replace(/\s+/g, "").slice(0, 80);
      return { set, group, question, answer: response, sources, faithful: !hallucinated };
    });
}
