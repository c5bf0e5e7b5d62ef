/** The period that a question asks for: `from` alone means since then; both `null` means the newest. */
export interface AskedPeriod {
  readonly from: string | null;
  readonly to: string | null;
  /** Whether it asks for a change, or for more than one period. */
  readonly change: boolean;
  /** Set if it explicitly asks for a change since `from`: a later figure alone does not answer it. */
  readonly needsStart?: true;
}

const since = /^(since|from|od|seit|ab|between|mezi|medzi|zwischen)$/;
const yearLike = /^(18|19|20|21)\d\d$/;
const change =
  /^(chang\w*|grow\w*|grew|growth|development|trend\w*|increas\w*|decreas\w*|declin\w*|shr[aiu]nk\w*|vyvoj\w*|vyvij\w*|zmen\w*|rust\w*|roste|rostl\w*|vzrost\w*|rast\w*|narost\w*|prirust\w*|prirast\w*|pokles\w*|klesl\w*|klesa|entwick\w*|verander\w*|\w*wachstum\w*|wachst|wuchs|\w*zuwachs|ruckgang|gewachsen|gestiegen|gesunken)$/;
const lastYear = /\b(last year|loni|vloni|minuly rok|vlani|letztes jahr|im vorjahr)\b/;

const lastYearWords = new Set("loni vloni minuly vlani jahr vorjahr".split(" "));

/** Number words as used for years, folded, in four languages. */
const numbers = new Map(
  [
    "two dve dva zwei",
    "three tri drei",
    "four ctyri styri vier",
    "five pet pat funf",
    "six sest sechs",
    "seven sedm sedem sieben",
    "eight osm osem acht",
    "nine devet devat neun",
    "ten deset desat zehn",
  ].flatMap((names, i) => names.split(" ").map((name) => [name, i + 2] as const)),
);
const lastOnes = /^(last|past|posledn\w*|letzte\w*|vergangene\w*)$/;
/** Words before the number of a year: "od roku 2020". */
const yearItself = /^(the|year|r|rok|roku|dem|jahr)$/;
const yearWords = /^(years?|roku|roky|let|rokov|jahre\w*)$/;

/** Returns the number of years in `the last five years`; `undefined` if there is no such phrase. */
function lastYears(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, i) => lastOnes.test(word) && yearWords.test(words[i + 2] ?? ""));
  const said = words[at + 1] ?? "";
  const count = at < 0 ? undefined : (numbers.get(said) ?? Number(said));
  return count !== undefined && count > 0 && count < 100 ? count : undefined;
}

/** Returns the indices of words that state the period or ask for a change; a number next to them counts years. */
export const periodPlaces = (words: readonly string[]): number[] =>
  words.flatMap((word, at) => {
    const isSaid = [since, yearLike, change, lastOnes, yearWords].some((pattern) => pattern.test(word));
    const isCount = lastOnes.test(words[at - 1] ?? "") && yearWords.test(words[at + 1] ?? "");
    return isSaid || isCount || numbers.has(word) || lastYearWords.has(word) ? [at] : [];
  });

/** Bounds before the only year of a question, optionally followed by a word for year. */
const bounds = {
  until: /\b(until|till|up to|bis|do|az do) ((r|roku|rok|ende|konce|konca) )?$/,
  before: /\b(before|prior to|vor|pred|przed) ((rokem|rokom|rokiem|dem jahr) )?$/,
  after: /\b(after|nach|po) ((roce|roku|dem jahr) )?$/,
};

/** Returns the period of the only year in a question: the year itself, or up to, before or after it. */
function periodOfYear(words: readonly string[], year: string, asksChange: boolean): AskedPeriod {
  const before = `${words.slice(0, words.indexOf(year)).join(" ")} `;
  if (bounds.until.test(before)) return { from: null, to: year, change: asksChange };
  if (bounds.before.test(before)) return { from: null, to: String(Number(year) - 1), change: asksChange };
  if (bounds.after.test(before)) return { from: String(Number(year) + 1), to: null, change: true };
  return { from: year, to: year, change: asksChange };
}

/** Returns the period in a question's folded words. "Last year" is relative to `now`. */
export function periodIn(words: readonly string[], now: Date): AskedPeriod {
  // `before` is the word before each year, skipping words for year.
  let before = "";
  const years = words.flatMap((word) => {
    const year = yearLike.test(word) ? [{ year: word, before }] : [];
    if (!yearItself.test(word)) before = word;
    return year;
  });
  const asksChange = words.some((word) => change.test(word));
  const needsStart = asksChange ? { needsStart: true as const } : {};
  const [first] = years;
  const named = years.map(({ year }) => year).sort();
  const [from, to] = [named[0], named.at(-1)];
  if (from !== undefined && to !== undefined && from !== to) return { from, to, change: true, ...needsStart };
  if (first && (since.test(first.before) || (asksChange && words.some((word) => since.test(word)))))
    return { from: first.year, to: null, change: true, ...needsStart };
  if (first) return periodOfYear(words, first.year, asksChange);
  if (lastYear.test(words.join(" "))) {
    const year = String(now.getUTCFullYear() - 1);
    return { from: year, to: year, change: asksChange };
  }
  const back = lastYears(words);
  if (back !== undefined) return { from: String(now.getUTCFullYear() - back), to: null, change: true, ...needsStart };
  return { from: null, to: null, change: asksChange };
}
