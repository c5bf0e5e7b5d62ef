import { distance } from "fastest-levenshtein";
import { Failure } from "./errors.ts";
import { fold } from "./text.ts";

/** Minimum length for a substring match: a shorter one would match too many names. */
const shortestPart = 3;
const suggestionsAtMost = 3;

/** Returns the edit distance of a name from what was typed, or undefined if it is too different. */
function remoteness(typed: string, name: string): number | undefined {
  const isPart = typed.length >= shortestPart && name.includes(typed);
  const edits = distance(typed, name);
  return isPart || edits <= Math.max(1, Math.floor(name.length / 4)) ? edits : undefined;
}

/** Returns the names that may have been meant, closest first. */
export function suggestions(typed: string, names: Iterable<string>): string[] {
  const wanted = fold(typed.trim()).replaceAll(/[\s_]+/g, "-");
  const near = [...names].flatMap((name) => {
    const away = remoteness(wanted, name);
    return away === undefined ? [] : [{ name, away }];
  });
  return near
    .sort((a, b) => a.away - b.away)
    .slice(0, suggestionsAtMost)
    .map(({ name }) => name);
}

/**
 * Creates the `not_found` failure for a slug in the path. `names` are those that the caller may see; no others are
 * suggested, so that a private item is indistinguishable from a missing one.
 */
export function unknownSlug(slug: string, names: Iterable<string>): Failure {
  const meant = suggestions(slug, names);
  const details =
    meant.length > 0 ? [{ path: "/path/slug", message: `is unknown. Did you mean ${meant.join(", ")}?` }] : [];
  return new Failure("not_found", details);
}
