import type { Language } from "../../../knowledge/language/languages.ts";
import { type Features, featuresOf } from "./features.ts";
import { createGuards, type Guards } from "./guards.ts";
import type { Lexicon } from "./packs.ts";
import { type Forms, readText, type Word } from "./reading.ts";
import { createSafeguards, type Safeguards } from "./safeguards.ts";
import { type Searched, Vocabulary } from "./vocabulary.ts";

/** Reads texts in the one way that the rules, the scorer and its training share. */
export interface Reader {
  readonly vocabulary: Vocabulary;
  readonly guards: Guards;
  readonly safeguards: Safeguards;
  read(text: string, otherwise: Language): Searched[];
  /** Returns the features that the scorer sees in consecutive sentences. */
  features(sentences: readonly Searched[]): Features;
}

const pairsOf = (list: string): [string, string][] =>
  list
    .trim()
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);

/** Returns a mapping of Slovak words to Czech forms, and of Czech words with a changing stem to one fixed form. */
function knownForms({ slovak, slovak_words, alternations }: Lexicon): Forms {
  const beginnings = pairsOf(slovak).sort(([a], [b]) => b.length - a.length);
  const words = new Map(pairsOf(slovak_words));
  const changed = new Map(pairsOf(alternations));
  const czechOf = (form: string): string => {
    const [from, to] = beginnings.find(([start]) => form.startsWith(start)) ?? ["", ""];
    return words.get(form) ?? to + form.slice(from.length);
  };
  return (form, language) => {
    const czech = language === "sk" ? czechOf(form) : form;
    return changed.get(czech) ?? czech;
  };
}

/** Creates a reader from the lexicon. `read` finds only terms that were added to the vocabulary before. */
export function createReader(lexicon: Lexicon): Reader {
  const vocabulary = new Vocabulary(lexicon.groups, lexicon.conjunctions);
  const guards = createGuards(lexicon, vocabulary);
  const negates = (word: Word, language: Language) => guards.negates(word, language);
  const safeguards = createSafeguards(lexicon, vocabulary, negates);
  const forms = knownForms(lexicon);
  return {
    vocabulary,
    guards,
    safeguards,
    read: (text, language) => readText(text, language, forms).map((sentence) => vocabulary.search(sentence)),
    features(sentences) {
      const words = sentences.flatMap(({ sentence }) => sentence.words);
      const last = sentences.at(-1)?.sentence;
      return featuresOf(words, last?.language ?? "en", negates, last?.question ?? false);
    },
  };
}
