import { distance } from "fastest-levenshtein";
import { Failure } from "./errors.ts";
import { fold } from "./text.ts";

/** Shorter beginnings would fit too many names. */
const shortestPart = 3;
const suggestionsAtMost = 3;

/** How far a name is from what was typed; undefined where it is another word. */
function remoteness(typed: string, name: string): number | undefined {
  const isPart = typed.length >= shortestPart && name.includes(typed);
  const edits = distance(typed, name);
  return isPart || edits <= Math.max(1, Math.floor(name.length / 4)) ? edits : undefined;
}

/** The names that may have been meant, the nearest first; none where nothing is near. */
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
 * The `not_found` of a slug in the path. `names` are those that the caller may see: no other is ever suggested, so that
 * what is private looks like what does not exist.
 */
export function unknownSlug(slug: string, names: Iterable<string>): Failure {
  const meant = suggestions(slug, names);
  const details =
    meant.length > 0 ? [{ path: "/path/slug", message: `is unknown. Did you mean ${meant.join(", ")}?` }] : [];
  return new Failure("not_found", details);
}
