import { once } from "../../../platform/once.ts";
import amountsText from "./amounts.tsv" with { type: "text" };
import { type Asked, isJoined, type Named } from "./question.ts";

/** How the words next to a term change it: "volume" of loans, "contracts" of pension saving. */

/** Codes of amounts, by the codes of their counts. */
const amounts = once(
  () =>
    new Map(
      amountsText
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => line.split("\t"))
        .map(([count = "", amount = ""]) => [count, amount] as const),
    ),
);

const countsOf = (amount: string): string[] =>
  [...amounts()].flatMap(([count, other]) => (other === amount ? [count] : []));

const isCount = ({ entry }: Named): boolean => entry === "count" || entry === "number";
const isAmount = ({ entry }: Named): boolean => entry === "amount" || entry === "volume";

/** Returns the term of a measure word: the nearest of those that it is not joined to, otherwise the nearest. */
function termOf(asked: Asked, terms: readonly Named[], measure: Named): Named | undefined {
  const far = (term: Named): number =>
    Math.abs(term.at - measure.at) + (isJoined(asked, term, measure) ? asked.words.length : 0);
  return terms.reduce<Named | undefined>((best, one) => (best && far(best) <= far(one) ? best : one), undefined);
}

/** Returns the measure words of a question, by their terms. */
export function measuresOf(asked: Asked, terms: readonly Named[]): ReadonlyMap<Named, readonly Named[]> {
  const measures = asked.named.filter((one) => one.kind === "said" && (isCount(one) || isAmount(one)));
  const own = Map.groupBy(measures, (measure) => termOf(asked, terms, measure));
  return new Map(
    terms.map((term) => {
      const all = own.get(term) ?? [];
      // "How much was the volume of loans" does not ask for their number.
      const isOverruled = (one: Named): boolean =>
        isCount(one) && all.some((other) => isAmount(other) && other.at > one.at && !isJoined(asked, one, other));
      return [term, all.filter((one) => !isOverruled(one))] as const;
    }),
  );
}

/** Returns the codes of a term given the measures next to it: counts, amounts, or both. */
function measured(asked: Asked, term: Named, codes: readonly string[], measures: readonly Named[]): string[] {
  const asksCount = measures.some(isCount);
  const asksAmount = measures.some(isAmount);
  // "Number and volume of loans" asks for both, "how much was the volume of loans" for one.
  const asksToo = measures.some((one) => isCount(one) && isJoined(asked, one, term));
  return codes.flatMap((code) => {
    const amount = amounts().get(code);
    const counts = countsOf(code);
    if (amount !== undefined && asksAmount) return asksCount ? [code, amount] : [amount];
    if (counts.some((count) => codes.includes(count))) return asksAmount || !asksCount ? [code] : [];
    return asksToo && code.endsWith("_volume") ? [...counts, code] : [code];
  });
}

/** Returns what two terms that are not joined mean: "contracts" of pension saving are its contracts, and no others. */
function beside(codes: readonly string[], other: readonly string[], has: (code: string) => boolean): readonly string[] {
  const families = other.filter((code) => code.includes("_")).map((code) => code.split("_")[0] ?? "");
  const own = families.flatMap((family) => codes.map((code) => `${family}_${code}`)).filter(has);
  const specific = own.length > 0 ? own : codes;
  // "Contributions of pension contracts" asks for the contributions, not for the number of contracts.
  return specific.some((code) => other.includes(amounts().get(code) ?? "")) ? other : specific;
}

/** Returns the codes of a question's terms, refined by the words next to each. */
export function refined(
  asked: Asked,
  codes: ReadonlyMap<Named, readonly string[]>,
  has: (code: string) => boolean,
): ReadonlyMap<Named, readonly string[]> {
  const terms = [...codes.keys()].filter(({ kind }) => kind === "term");
  const measures = measuresOf(asked, terms);
  return new Map(
    [...codes].map(([one, own]) => {
      const at = terms.indexOf(one);
      if (at < 0) return [one, own] as const;
      const neighbours = [terms[at - 1], terms[at + 1]].filter((other) => other !== undefined);
      const near = neighbours.filter((other) => !isJoined(asked, one, other));
      const found = near.reduce((all, other) => beside(all, codes.get(other) ?? [], has), own);
      const all = measured(asked, one, found, measures.get(one) ?? []);
      return [one, [...new Set(all)].filter(has)] as const;
    }),
  );
}

/** Returns the measure words that no figure of their term matches: "volume" if only contracts are counted. */
export function unmeasured(
  asked: Asked,
  codes: ReadonlyMap<Named, readonly string[]>,
  isMoney: (code: string) => boolean,
): Named[] {
  const terms = [...codes.keys()].filter(({ kind }) => kind === "term");
  return [...measuresOf(asked, terms)].flatMap(([term, all]) => {
    const own = codes.get(term) ?? [];
    if (own.length === 0) return [];
    return all.filter(({ entry }) =>
      entry === "volume" ? !own.some(isMoney) : entry === "count" && own.every(isMoney),
    );
  });
}
