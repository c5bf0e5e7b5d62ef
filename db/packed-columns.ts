import { sql } from "kysely";

/**
 * Columns that are written shorter than they are read, by the database itself: ids and hashes as bytes, a firm's own
 * accounts without the firm. Rows of the releases before hold the whole text; both are read as the same. What reads them
 * is text, for queries that are built and for those of `verification.ts`, which are not.
 */

/** A firm's own account, `firm:<id>/available`, as `/available`; another account as it is. */
export const shortAccount = (account: string, firm_id: string) =>
  sql<string>`replace(${account}, 'firm:' || ${firm_id}, '')`;

/** The account that `shortAccount` wrote, of a row with its `firm_id`. */
export const wholeAccount = (column: string, firm_id: string): string =>
  `case when ${column} like '/%' then 'firm:' || ${firm_id} || ${column} else ${column} end`;

/** A text of hexadecimal digits, with or without dashes, as bytes; another text as it is. */
export const shortHex = (text: string) => sql<string>`coalesce(unhex(${text}, '-'), ${text})`;

/** The hash that `shortHex` wrote, in lower case. */
export const wholeHash = (column: string): string =>
  `case typeof(${column}) when 'blob' then lower(hex(${column})) else ${column} end`;

/** The UUID that `shortHex` wrote (RFC 9562, section 4). */
export function wholeUuid(column: string): string {
  const groups = ["1, 8", "9, 4", "13, 4", "17, 4", "21, 12"].map((place) => `substr(lower(hex(${column})), ${place})`);
  return `case typeof(${column}) when 'blob' then ${groups.join(" || '-' || ")} else ${column} end`;
}

/** An owner's id as the indexes by owner hold it: a UUID's bytes, or those of another text. */
export function ownerBytes(id: string): Uint8Array {
  const digits = id.replaceAll("-", "");
  return Buffer.from(digits, /^(?:[0-9a-f]{2})+$/.test(digits) ? "hex" : "utf8");
}

/** The same of a column. */
export const ownerColumn = (column: string): string => `coalesce(unhex(${column}, '-'), cast(${column} as blob))`;

/** Such a text as a column of a query. */
export const read = <Name extends string>(text: string, name: Name) => sql.raw<string>(text).as(name);
