import measured from "./figures.json" with { type: "json" };

/**
 * The trust states as `bun run bench:evidence --write` measured them. The catalogue's limitations are made from them,
 * so that they give the last measurement and nothing else.
 */
const share = (wrong: number, of: number): string => `${wrong} of ${of}`;

/** One sentence per set: how many of the OK and FAIL were wrong. The manifest lists them. */
export const trustFigures: readonly string[] = measured.sets.map(
  ({ set, read, looked_at, answers, ok, ok_wrong, fail, fail_wrong }) =>
    `Measured ${read ? "with the built-in models" : "by words alone"}, ${set} (${answers} answers, ${looked_at ? "inspected during development" : "not inspected before"}): ${share(ok_wrong, ok)} OK results were wrong, and ${share(fail_wrong, fail)} FAIL results; the rest was WARN.`,
);
