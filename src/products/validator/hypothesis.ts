import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { isStopWord } from "../../knowledge/language/function-words.ts";
import { type PriceReading, readPrice } from "./price.ts";
import { type Channel, channels, type Part, parts } from "./vocabulary.ts";
import { findIn, type Language, languages, matchAt, type Token, tokensOf, type WordLists, wordLists } from "./words.ts";

/** What the words about the people say of them: see `target.ts`. */
export type TargetMark = keyof WordLists["target"];

/** A hypothesis as it is understood. Texts are cut from it as they stand. */
export interface Hypothesis extends PriceReading {
  readonly language: Language;
  readonly who: string | null;
  readonly problem: string | null;
  readonly offer: string | null;
  readonly channel: Channel | null;
  readonly proof: string | null;
  /** Parts that it does not state. */
  readonly missing: readonly Part[];
  readonly targets: readonly TargetMark[];
  /** How strongly it speaks of a problem, of trust and of effort: counted words. */
  readonly severe: number;
  readonly trust: number;
  readonly effort: number;
}

interface Sentence {
  readonly from: number;
  readonly to: number;
}

/** Sentences as ranges of tokens: they end at a full stop, a question mark, a semicolon. */
function sentencesOf(text: string, tokens: readonly Token[]): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  for (const [i, { end }] of tokens.entries()) {
    const between = text.slice(end, tokens[i + 1]?.start ?? text.length);
    if (i + 1 < tokens.length && !/[.;!?]\s/.test(between)) continue;
    found.push({ from, to: i + 1 });
    from = i + 1;
  }
  return found;
}

const gap = (text: string, left: Token | undefined, right: Token | undefined): string =>
  left && right ? text.slice(left.end, right.start) : ".";
const longestWho = 9;

/** From the adjectives before the word for the people to the verb or the comma behind it. */
function whoSpan(text: string, tokens: readonly Token[], language: Language): Sentence | null {
  const lists = wordLists[language];
  const at = findIn(tokens, lists.people);
  if (at < 0) return null;
  const bounds = [...lists.verbs, ...lists.problem];
  let from = at;
  for (let i = at - 1; i >= Math.max(0, at - 2); i--) {
    const word = tokens[i]?.word ?? "";
    const isPlain = /^\s+$/.test(gap(text, tokens[i], tokens[i + 1])) && !isStopWord(word, language);
    if (!isPlain || matchAt(tokens, i, bounds) > 0 || /^\d/.test(word)) break;
    from = i;
  }
  let to = at + matchAt(tokens, at, lists.people);
  while (to < tokens.length && to - from < longestWho) {
    if (/[,.;:!?]/.test(gap(text, tokens[to - 1], tokens[to]))) break;
    const joined = matchAt(tokens, to, lists.joins) > 0;
    if (!joined && matchAt(tokens, to, bounds) > 0) break;
    to += joined ? 2 : 1;
  }
  return { from, to: Math.min(to, tokens.length) };
}

const cut = (text: string, tokens: readonly Token[], { from, to }: Sentence): string =>
  text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);

/** The sentence that speaks of a problem. What the writer wants is none. */
function problemIn(tokens: readonly Token[], sentences: readonly Sentence[], lists: WordLists): Sentence | undefined {
  return sentences.find(({ from, to }) => {
    for (let at = findIn(tokens, lists.problem, from, to); at >= 0; at = findIn(tokens, lists.problem, at + 1, to))
      if (at === from || matchAt(tokens, at - 1, lists.we) === 0) return true;
    return false;
  });
}

/** The clause with the word for what is offered: outside of the sentence about the problem, where there is one. */
function offerIn(
  text: string,
  tokens: readonly Token[],
  sentences: readonly Sentence[],
  problem: Sentence | undefined,
  lists: WordLists,
): string | null {
  const ordered = [...sentences.filter((one) => one !== problem), ...(problem ? [problem] : [])];
  for (const { from, to } of ordered) {
    const at = findIn(tokens, lists.offer, from, to);
    if (at < 0) continue;
    let left = at;
    while (left > from && !/[,:]/.test(gap(text, tokens[left - 1], tokens[left]))) left--;
    let right = at + 1;
    while (right < to && !/[,:]\s/.test(gap(text, tokens[right - 1], tokens[right]))) right++;
    return cut(text, tokens, { from: left, to: right });
  }
  return null;
}

function channelIn(tokens: readonly Token[], lists: WordLists): Channel | null {
  const found = channels.flatMap((channel) => {
    const at = findIn(tokens, lists.channels[channel]);
    return at < 0 ? [] : [{ channel, at }];
  });
  return found.sort((a, b) => a.at - b.at)[0]?.channel ?? null;
}

const countIn = (tokens: readonly Token[], list: readonly string[]): number =>
  tokens.filter((_, at) => matchAt(tokens, at, list) > 0).length;

const isOurs = (language: string): language is Language => (languages as readonly string[]).includes(language);

/** The language that answers are given in: the hypothesis's own, English where it is none of the four. */
export function languageOf(text: string): Language {
  const found = detectSearchLanguage(text);
  return isOurs(found) ? found : "en";
}

const marksIn = (tokens: readonly Token[], lists: WordLists): TargetMark[] =>
  (Object.keys(lists.target) as TargetMark[]).filter((mark) => findIn(tokens, lists.target[mark]) >= 0);

/** Reads a hypothesis. It takes a few tenths of a millisecond for the longest one. */
export function readHypothesis(given: string): Hypothesis {
  const text = given.normalize("NFC");
  const language = languageOf(text);
  const lists = wordLists[language];
  const tokens = tokensOf(text);
  const sentences = sentencesOf(text, tokens);
  const span = whoSpan(text, tokens, language);
  const who = span && cut(text, tokens, span);
  const problem = problemIn(tokens, sentences, lists);
  const proof = sentences.find(({ from, to }) => findIn(tokens, lists.proof, from, to) >= 0);
  const price = readPrice(text, lists);
  const read = {
    who,
    problem: problem ? cut(text, tokens, problem) : null,
    offer: offerIn(text, tokens, sentences, problem, lists),
    price: price.price,
    channel: channelIn(tokens, lists),
    proof: proof ? cut(text, tokens, proof) : null,
  };
  return {
    ...price,
    ...read,
    language,
    missing: parts.filter((part) => read[part] === null),
    targets: who === null ? [] : marksIn(tokensOf(who), lists),
    severe: countIn(tokens, lists.severe),
    trust: countIn(tokens, lists.trust),
    effort: countIn(tokens, lists.effort),
  };
}

/** What a text about an audience says of its people. */
export function describedTargets(text: string): readonly TargetMark[] {
  return marksIn(tokensOf(text), wordLists[languageOf(text)]);
}
