import { conceptsOf } from "../../language/statement-words.ts";
import type { Lexeme } from "./lex.ts";

const attributes = new Set(["the", "an", "a", "your", "der", "die", "das", "des", "dem", "den"]);
const copulas = new Set(
  "is are be was were been not je jsou su nie nejsou není neni byla bylo byly bude jest sa są ist sind war van vannak fully also".split(
    " ",
  ),
);

/**
 * Returns how `insured` is used, since an insured thing is not the insured person. A copula next to it makes it a
 * predicate, an article before it a noun or an attribute.
 */
export function senseOfInsured(lexemes: readonly Lexeme[], at: number): "actor" | "predicate" | "optional" {
  const [before = "", after = ""] = [lexemes[at - 1]?.form, lexemes[at + 1]?.form];
  const leads =
    copulas.has(after) ||
    (verb.test(after) && !insuredThings.test(after)) ||
    conceptsOf(after).some(({ class: kind }) => kind === "predicate");
  if (attributes.has(before)) return leads ? "actor" : "optional";
  if (!copulas.has(before) && !copulas.has(after)) return "actor";
  return duty.test(after) || duty.test(lexemes[at + 2]?.form ?? "") ? "actor" : "predicate";
}

/** `The insured bears`, but `the insured goods`: an English verb in the third person, judged by its form. */
const verb = /^\p{L}{2,}[^s]s$/u;
const insuredThings =
  /^(?:goods|perils|items|risks|objects|things|animals|premises|values|properties|events|sums|losses)$/;

const duty = /^(?:povin|musi|must|obliged|required|entitled|oprav|powinien|obowiaz|verpflicht)/;
