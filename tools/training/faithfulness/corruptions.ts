import { splitSentences } from "../../../src/knowledge/faithfulness/claims.ts";
import { detectLanguage } from "../../../src/knowledge/language/detect.ts";
import type { Language } from "../../../src/knowledge/language/languages.ts";
import { seededRandom } from "../../../src/platform/random.ts";
import { fold } from "../../../src/platform/text.ts";
import type { Row } from "./dataset.ts";

/**
 * Minimal pairs generated from the sources' own sentences: the original sentence is supported; the same sentence with
 * another number, an inverted negation or another name is not. They teach what overlap alone cannot show.
 */

const negations: Record<"slavic" | "english", readonly (readonly [RegExp, string])[]> = {
  english: [
    [/\b(is|are|was|were|will|can|could|has|have|had|would|should|did|does)\s+not\b/i, "$1"],
    [/\b(is|are|was|were|will|can|could|would|should)\b/i, "$1 not"],
    [/\b(has|have|had)\s+(?=\p{L}+ed\b)/iu, "$1 not "],
  ],
  slavic: [
    [/(?<!\p{L})není(?!\p{L})/u, "je"],
    [/(?<!\p{L})nejsou(?!\p{L})/u, "jsou"],
    [/(?<!\p{L})ne(byl[aoiy]?|bude|budou|má|mají|může|mohou|mohl[aoiy]?)(?!\p{L})/u, "$1"],
    [/(?<!\p{L})je(?!\p{L})/u, "není"],
    [/(?<!\p{L})jsou(?!\p{L})/u, "nejsou"],
    [/(?<!\p{L})(byl[aoiy]?|bude|budou|má|mají|může|mohou|mohl[aoiy]?)(?!\p{L})/u, "ne$1"],
    [/(?<!\p{L})((?!ne)\p{Ll}{4,}(?:al|el|il|ala|ela|ila|alo|ilo|ali|eli|ili))(?!\p{L})/u, "ne$1"],
  ],
};

type Change = (sentence: string, random: () => number, others: readonly string[]) => string | null;

const otherNumber: Change = (sentence, random) => {
  const found = /\d+(?:[.,]\d+)*/.exec(sentence);
  if (found === null) return null;
  const digits = found[0];
  const first = Number(digits.charAt(0));
  const replaced = 1 + ((first + Math.floor(random() * 7)) % 9);
  return replaced === first ? null : sentence.replace(digits, `${replaced}${digits.slice(1)}`);
};

const turnedNegation: Change = (sentence) => {
  const family = detectLanguage(sentence) === "en" ? "english" : "slavic";
  for (const [pattern, replacement] of negations[family])
    if (pattern.test(sentence)) return sentence.replace(pattern, replacement);
  return null;
};

const capitalised = /(?<=\p{L}[,;]?\s)\p{Lu}\p{Ll}{3,}/gu;

const otherName: Change = (sentence, random, others) => {
  const names = sentence.match(capitalised) ?? [];
  const candidates = others.filter((name) => !fold(sentence).includes(fold(name).slice(0, 4)));
  const name = names[Math.floor(random() * names.length)];
  const other = candidates[Math.floor(random() * candidates.length)];
  return name === undefined || other === undefined ? null : sentence.replace(name, other);
};

const changes: readonly Change[] = [otherNumber, turnedNegation, otherName];
const pairsPerFamily = 400;

function eligible(row: Row, random: () => number): string | null {
  const source = row.sources[Math.floor(random() * row.sources.length)] ?? "";
  const sentences = splitSentences(source).filter(({ start, end }) => end - start >= 40 && end - start <= 240);
  const chosen = sentences[Math.floor(random() * sentences.length)];
  return chosen === undefined ? null : source.slice(chosen.start, chosen.end);
}

/** Returns minimal pairs from the rows' sources, as rows of the set `pairs-<language>`. Deterministic for a seed. */
export function minimalPairs(rows: readonly Row[], language: Language, seed: string): Row[] {
  const random = seededRandom(`${seed} ${language}`);
  const own = rows.filter(({ sources }) => detectLanguage(sources.join(" ").slice(0, 4000)) === language);
  const names = own.flatMap(({ sources }) => (sources[0] ?? "").match(capitalised)?.slice(0, 2) ?? []);
  const made: Row[] = [];
  for (
    let attempt = 0;
    attempt < pairsPerFamily * 4 && made.length < 2 * pairsPerFamily && own.length > 0;
    attempt += 1
  ) {
    const row = own[Math.floor(random() * own.length)];
    const sentence = row && eligible(row, random);
    const change = changes[attempt % changes.length];
    const changed = sentence && change ? change(sentence, random, names) : null;
    if (!row || !sentence || changed === null || changed === sentence) continue;
    const base = { set: `pairs-${language}`, group: row.group, question: "", sources: row.sources };
    made.push({ ...base, answer: sentence, faithful: true }, { ...base, answer: changed, faithful: false });
  }
  return made;
}
