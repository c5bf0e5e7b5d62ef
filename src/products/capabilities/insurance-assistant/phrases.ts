import { type Static, Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert } from "../../../platform/assert.ts";
import { closed } from "../../../platform/schema.ts";
import written from "./phrases.json" with { type: "json" };

const phrase = T.String({ minLength: 2, pattern: "^[^{}]*$" });
/** A phrase with one gap. */
const phraseAbout = (name: string) => T.String({ pattern: `^[^{}]*\\{${name}\\}[^{}]*$` });

/** What the assistant says in its own words; everything else in an answer is quoted. */
const Phrases = closed({
  no_evidence: phraseAbout("country"),
  no_advice: phrase,
  weak: phrase,
  samples: phrase,
  /** The cited documents are of several lines of insurance. */
  lines: phrase,
  other_language: phraseAbout("languages"),
  /** The sources by their numbers, such as `[1], [3]`. */
  disagree: phraseAbout("sources"),
  carriers_differ: phraseAbout("sources"),
  languages: closed({ cs: phrase, sk: phrase, de: phrase, pl: phrase, en: phrase, fr: phrase }),
});

const InEachLanguage = closed({ cs: Phrases, sk: Phrases, de: Phrases, pl: Phrases, en: Phrases, fr: Phrases });

function checked(value: unknown): Static<typeof InEachLanguage> {
  assert(Value.Check(InEachLanguage, value), "phrases.json has every phrase in every language, with its gap");
  return value;
}

/** The phrases by language. The answer's composition and its judgement take them. */
export const phrases = checked(written);

/** A phrase with its gap filled. */
export const filled = (phraseWithGap: string, value: string): string => phraseWithGap.replace(/\{\w+\}/, () => value);
