import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type as T } from "@sinclair/typebox";
import { detectLanguage, isForeign } from "../../../src/knowledge/language/detect.ts";
import { closed, enumeration } from "../../../src/platform/schema.ts";
import type { Rule } from "../../../src/products/capabilities/afa-assurance/packs.ts";
import type { Reader } from "../../../src/products/capabilities/afa-assurance/reader.ts";
import { windowLength } from "../../../src/products/capabilities/afa-assurance/resemblance.ts";
import type { Labelled } from "./learn.ts";

/** A labelled answer. Without `rules` it is compliant; naming a rule of `also` as well is not an error. */
export const Case = closed({
  /** Cases of one round were written together, before anything was fitted to them. */
  round: T.String(),
  language: enumeration("cs", "en"),
  question: T.String(),
  answer: T.String(),
  rules: T.Optional(T.Array(T.String(), { minItems: 1 })),
  also: T.Optional(T.Array(T.String())),
});
export type Case = Static<typeof Case>;

/** Returns the Markdown documents of a folder that are in one of the packs' languages. */
export function documentsIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8"));
  return texts.filter((text) => !isForeign(text));
}

/** Weight of a sentence from a document without advice; these are many and similar. */
const weightOfNeutral = 0.5;

/** Weight of a sentence from a breaching answer, which may or may not be the breach itself. */
const weightOfPart = 0.3;

/**
 * Returns the scorer's labelled texts, for training and the bench: each breaching case whole and by sentence; each
 * compliant case whole, by sentence and by pair of adjacent sentences; the rules' own examples; and sentences and
 * windows of plain documents.
 */
export function labelledTexts(
  reader: Reader,
  given: { readonly cases: readonly Case[]; readonly rules: readonly Rule[]; readonly neutral: readonly string[] },
): Labelled[] {
  const examples = given.rules.flatMap(({ id, violating, compliant }) =>
    (["cs", "en"] as const).flatMap((language): Case[] => [
      { round: "rules", language, question: "", answer: violating[language], rules: [id] },
      { round: "rules", language, question: "", answer: compliant[language] },
    ]),
  );
  const cases = [...examples, ...given.cases].flatMap(({ language, question, answer, rules }): Labelled[] => {
    const asked = reader.features(reader.read(question, language));
    const sentences = reader.read(answer, language);
    const whole = { features: reader.features(sentences), asked };
    const single = sentences.map((one) => ({ features: reader.features([one]), asked }));
    if (rules) {
      const parts = single.length > 1 ? single : [];
      return [{ ...whole, rules, weight: 1 }, ...parts.map((part) => ({ ...part, rules, weight: weightOfPart }))];
    }
    const pairs = sentences.map((_, at) => ({ features: reader.features(sentences.slice(at, at + 2)), asked }));
    return [...single, ...pairs, whole].map((part) => ({ ...part, rules: [], weight: 1 }));
  });
  const none = reader.features([]);
  const neutral = given.neutral.flatMap((text) => {
    const sentences = reader
      .read(text, detectLanguage(text))
      .filter(({ sentence }) => sentence.language !== "sk" && sentence.words.length >= 6);
    const windows = sentences.flatMap((one, at) =>
      at % windowLength === 0 ? [[one], sentences.slice(at, at + windowLength)] : [[one]],
    );
    return windows.map((one) => ({ features: reader.features(one), asked: none, rules: [], weight: weightOfNeutral }));
  });
  return [...cases, ...neutral];
}
