import { present } from "../../platform/assert.ts";
import type { OutputItems } from "../../registry/contract.ts";
import type { Target, TargetsOutput } from "./schema.ts";

/** Number of targets that a pack promises, and the credits for each. */
export const wantedTargets = 10;
export const creditsPerTarget = 700;

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(", ");

/** Returns notes on the parts of the ICP that rows were not selected by, for the approver and the report. */
export const unreadNotes = ({
  not_read = [],
  elsewhere = [],
}: Pick<TargetsOutput, "not_read" | "elsewhere">): string[] => [
  ...(not_read.length > 0
    ? [`Not understood as conditions of the ICP, so that targets may not meet them: ${quoted(not_read)}.`]
    : []),
  ...(elsewhere.length > 0 ? [`Places of the ICP that no row is known to be in: ${quoted(elsewhere)}.`] : []),
];

const targetsIn = (output: unknown): TargetsOutput => output as TargetsOutput;

const label = ({ name, city, country, reasons }: Target): string =>
  `${name}, ${city ?? country}: ${reasons.map(({ words }) => words).join("; ")}`;

/** The targets as individually approvable items. */
export const targetItems: OutputItems = {
  labels: (output) => targetsIn(output).targets.map(label),
  remark: (output) => unreadNotes(targetsIn(output)).join(" ") || null,
  only: (output, places) => {
    const all = targetsIn(output);
    return { ...all, targets: places.map((place) => present(all.targets[place], "a target of the output")) };
  },
};
