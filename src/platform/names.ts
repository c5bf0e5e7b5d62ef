import { invalid } from "./errors.ts";
import { notBlank } from "./schema.ts";

/** Names as people see them in lists, on pages and in the audit: of firms, people, keys, connections, configurations. */

const visible = new RegExp(notBlank.pattern);
/**
 * Controls, ends of lines and marks that turn the direction of writing: with them a name looks like another. Joiners stay,
 * which some scripts and emoji are written with.
 */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name without blanks around it. Throws `validation_error` for one that can't be seen, misleads or is longer than `most`. */
export function checkedName(given: string, path: string, most: number): string {
  const name = given.trim();
  if (name.length === 0 || name.length > most) throw invalid(path, `must have 1 to ${most} characters`);
  if (!visible.test(name)) throw invalid(path, "must have more than blanks and what can't be seen");
  if (name.search(misleading) >= 0) throw invalid(path, "must not hold controls or marks that turn the direction");
  return name;
}

/** The same for a name that may be left out: null where it is, or is blank. */
export const optionalName = (given: string | null | undefined, path: string, most: number): string | null =>
  given?.trim() ? checkedName(given, path, most) : null;

/** A name that somebody else vouches for, as it may be shown and is kept; null where nothing of it can be seen. */
export function shownName(given: string | null): string | null {
  const name = given?.replace(misleading, "").slice(0, 120).trim() ?? "";
  return visible.test(name) ? name : null;
}
