import measured from "./figures.json" with { type: "json" };

/**
 * The trust states as `bun run bench:evidence --write` measured them. The catalogue's limitations are made from them,
 * so that they give the last measurement and nothing else.
 */
const share = (wrong: number, of: number): string => (of === 0 ? "none" : `${wrong} of ${of} wrong`);

const others = (set: number): string => `minimal pairs by another author, set ${set}`;

/** The sets' names for readers of the catalogue, by the benchmark's. */
const titles: Readonly<Record<string, string>> = {
  "pairs written by hand, held back": "pairs written by hand and not trained on",
  "minimal pairs, own": "our own minimal pairs",
  "minimal pairs of another author": others(1),
  "later minimal pairs of another author": others(2),
  "third minimal pairs of another author": others(3),
  "fourth minimal pairs of another author": others(4),
  "fifth minimal pairs of another author": others(5),
  "sixth minimal pairs of another author": others(6),
  "ninth minimal pairs of another author": others(9),
  "tenth minimal pairs of another author": others(10),
  "eleventh minimal pairs of another author": others(11),
  "twelfth minimal pairs of another author": others(12),
  "words lost or taken back, another author": "pairs with dropped and retracted words by another author, set 1",
  "words lost or taken back, later author": "pairs with dropped and retracted words by another author, set 2",
  aggrefact: "AggreFact",
  ctkfacts: "CTKFacts",
  begin: "BEGIN",
  "halueval-qa": "HaluEval QA",
};

/** Returns the name of a set or of the part of it whose documents the built-in models weren't trained on. */
function titleOf(set: string): string {
  const [name = set, part] = set.split(/(, documents held back)$/);
  const title = titles[name] ?? titles[set] ?? name;
  return part === undefined ? title : `${title}, documents not trained on`;
}

/** One sentence per set: how many of the OK and FAIL were wrong. The manifest lists them. */
export const trustFigures: readonly string[] = measured.sets.map(
  ({ set, read, looked_at, answers, ok, ok_wrong, fail, fail_wrong }) =>
    `Measured ${read ? "with the built-in models" : "by words alone"} on ${titleOf(set)} (${answers} answers, ${looked_at ? "inspected during development" : "not inspected before"}): OK: ${share(ok_wrong, ok)}; FAIL: ${share(fail_wrong, fail)}; the rest was WARN.`,
);
