import { present } from "../../src/platform/assert.ts";
import { type Conclusion, conclude } from "../../src/products/validator/conclude.ts";
import { languageOf } from "../../src/products/validator/hypothesis.ts";
import { interview } from "../../src/products/validator/interview.ts";
import { marketNamed } from "../../src/products/validator/markets.ts";
import { type Asking, drawnFor, personasOfDrawn, seedOf, studyOf } from "../../src/products/validator/study.ts";
import type { Asked } from "../../src/products/validator/weigh.ts";
import { bicycles, runToEnd } from "./validator-world.ts";

/** The markets for which personas are drawn. */
export const marketCodes = ["DE", "CZ", "SK", "PL", "AT", "FR", "IT", "ES", "NL", "EU"];
export const market = (code: string) => present(marketNamed(code), code);

/**
 * Returns a question to ten Czechs with decision size M, overridden by `given`. The seed is derived from it by default.
 */
export function asking(given: Partial<Asking> = {}): Asking {
  const asked = {
    hypothesis: bicycles,
    market: "CZ",
    audience_text: null,
    audience_market: null,
    decision_size: "M" as const,
    size: 10,
    ...given,
  };
  return { language: languageOf(asked.hypothesis), ...asked, seed: given.seed ?? seedOf(asked) };
}

/** Returns the embedded engine's conclusion with the personas that it interviewed. */
export function concluded(asked: Asking): Conclusion & { readonly personas: readonly Asked[] } {
  const study = studyOf(asked);
  const drawn = runToEnd(drawnFor(study, asked));
  const personas = personasOfDrawn(study, drawn).map((persona) => ({
    persona,
    answer: interview(persona, study.matter),
  }));
  const engine = { name: "market-validator", version: "1.0.0", model: null };
  const studied = { ...study, drawn, asked: personas, engine, inputs: [] };
  return { ...runToEnd(conclude(studied)), personas };
}
