import { invalid } from "./errors.ts";
import { notBlank } from "./schema.ts";

/**
 * Validation of names that people see in lists, on pages and in the audit log: of firms, people, keys, connections and
 * configurations.
 */

const visible = new RegExp(notBlank.pattern);
/**
 * Control characters, line ends and bidirectional marks, which can make one name look like another. Joiners are
 * allowed, because some scripts and emoji need them.
 */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns the trimmed name. Throws `validation_error` if it is invisible, misleading or longer than `most` characters.
 */
export function checkedName(given: string, path: string, most: number): string {
  const name = given.trim();
  if (name.length === 0 || name.length > most) throw invalid(path, `must have 1 to ${most} characters`);
  if (!visible.test(name)) throw invalid(path, "must contain at least one visible character");
  if (name.search(misleading) >= 0) throw invalid(path, "must not contain control characters or bidirectional marks");
  return name;
}

/** Like `checkedName`, for an optional name: returns null if it is missing or blank. */
export const optionalName = (given: string | null | undefined, path: string, most: number): string | null =>
  given?.trim() ? checkedName(given, path, most) : null;

/**
 * Returns a name that an external source provided, cleaned for display and storage, or null if nothing visible remains.
 */
export function shownName(given: string | null): string | null {
  const name = given?.replace(misleading, "").slice(0, 120).trim() ?? "";
  return visible.test(name) ? name : null;
}
