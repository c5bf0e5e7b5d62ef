import { conflict, type Rule } from "./conflict.ts";
import { isContent, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";

/** What makes a claim wider or narrower than its sentence: quantifiers, `only`, duties and permissions, words left out. */

export const quantifiers: Rule = (claim, { statement, parts }, answer) => {
  const said = claim.marks.universal ?? [];
  if (said.length > 0 && statement.marks.universal === undefined && !isWhole(claim, parts))
    return conflict("too_broad", said);
  const only = statement.marks.only ?? [];
  if (only.length > 0 && claim.marks.only === undefined) {
    const at = statement.parts.findIndex(
      ({ form, role }) => role === "mark" && only.some((words) => words.startsWith(form)),
    );
    const bound = statement.parts
      .slice(at + 1)
      .filter((part) => isContent(part) && part.segment === statement.parts[at]?.segment);
    const kept = bound.filter((part) => answer.some((other) => isContent(other) && isSame(other, part))).length;
    if (bound.length > 0 && kept * 2 < bound.length)
      return conflict("too_broad", only, [statement.text.slice(bound[0]?.start, bound.at(-1)?.end)]);
  }
  const added = claim.periods.filter((period) => !statement.periods.includes(period));
  return added.length > 0 ? conflict("unit_differs", added) : null;
};

/** `In all of Europe` is as wide as the source's `whole Europe`. */
const isWhole = (claim: Statement, parts: readonly Part[]): boolean =>
  claim.parts.some(({ concept }) => concept === "whole") && parts.some(({ concept }) => concept === "whole");
