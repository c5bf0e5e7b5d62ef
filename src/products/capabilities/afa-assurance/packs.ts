import { type Static, Type as T, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { assert } from "../../../platform/assert.ts";
import { closed, enumeration, nullable } from "../../../platform/schema.ts";
import contractLaw from "./rules/contract-law.yaml";
import distributionAct from "./rules/distribution-act.yaml";
import ethics from "./rules/ethics.yaml";
import lexicon from "./rules/lexicon.yaml";
import sources from "./rules/sources.yaml";

/** The rule packs as data: what a rule says, what it looks for, and the examples that are also its tests. */

const Bilingual = closed({ en: T.String({ minLength: 3 }), cs: T.String({ minLength: 3 }) });
const Patterns = T.Array(T.String({ minLength: 2 }));

export const Rule = closed({
  id: T.String({ pattern: "^[A-Z]{2}-[0-9]{2}$" }),
  citation: T.String(),
  severity: enumeration("low", "medium", "high", "critical"),
  /** Whether the cited text was read for the rule. */
  verification: enumeration("verified", "partly", "unverified"),
  sources: T.Array(T.String(), { minItems: 1 }),
  obligation: Bilingual,
  sign: Bilingual,
  violating: Bilingual,
  compliant: Bilingual,
  note: T.Optional(T.String()),
  patterns: closed({ cs: Patterns, en: Patterns }),
  /** Words in the same sentence that show compliance, unless they are denied or threatened. */
  unless: T.Optional(T.String()),
  /** Words in the same sentence that make it another matter, denied or not. */
  except: T.Optional(T.String()),
  /** A statement required in a situation: a pattern of `when` matches, and nothing of `need` occurs in the answer. */
  missing: T.Optional(closed({ when: Patterns, need: T.String() })),
  /**
   * A figure fixed by law. A sentence on the topic breaks the rule if it gives figures of the unit and none is right.
   */
  facts: T.Optional(
    T.Array(
      closed({
        topic: T.String(),
        unit: enumeration("day", "year", "page", "million", "section"),
        right: T.Optional(T.Array(T.String())),
        at_most: T.Optional(T.Integer()),
      }),
    ),
  ),
});
export type Rule = Static<typeof Rule>;

const Pack = closed({
  pack: T.String(),
  title: T.String(),
  version: T.String(),
  check: enumeration("legislation", "ethics"),
  rules: T.Array(Rule, { minItems: 1 }),
});
export type Pack = Static<typeof Pack>;

const Source = closed({ text: T.String(), read: T.Boolean(), url: nullable(T.String({ pattern: "^https://" })) });

export const Lexicon = closed({
  groups: T.Record(T.String(), T.String()),
  warnings: T.String(),
  cautions: T.String(),
  refutations: T.String(),
  negators: T.String(),
  not_negated: T.String(),
  conjunctions: T.String(),
  conditions: T.String(),
  prohibitions: T.String(),
  privatives: T.String(),
  idioms: T.String(),
  limits: T.String(),
  otherwise: T.String(),
  alternations: T.String(),
  slovak: T.String(),
  slovak_words: T.String(),
});
export type Lexicon = Static<typeof Lexicon>;

function valid<S extends TSchema>(schema: S, value: unknown, name: string): Static<S> {
  const check = TypeCompiler.Compile(schema);
  assert(check.Check(value), `the rule data of ${name} fits its schema`);
  return value;
}

/** Returns everything in `rules/`, validated. Called for the first answer, so that start-up does not pay for it. */
export function readPacks() {
  return {
    packs: [distributionAct, contractLaw, ethics].map((pack, at) => valid(Pack, pack, `pack ${at + 1}`)),
    lexicon: valid(Lexicon, lexicon, "lexicon"),
    sources: valid(T.Record(T.String(), Source), sources, "sources"),
  };
}
