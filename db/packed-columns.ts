import { sql } from "kysely";

/**
 * Columns that the database stores in a shorter form than queries return: ids and hashes as bytes, and a firm's own
 * accounts without the firm. Rows from earlier releases contain the full text; both forms read the same. The reading
 * expressions are text, because `verification.ts` uses them in hand-written queries as well.
 */

/** Shortens a firm's own account, `firm:<id>/available`, to `/available`. Other accounts are unchanged. */
export const shortAccount = (account: string, firm_id: string) =>
  sql<string>`replace(${account}, 'firm:' || ${firm_id}, '')`;

/** Restores the account that `shortAccount` wrote, in a row with its `firm_id`. */
export const wholeAccount = (column: string, firm_id: string): string =>
  `case when ${column} like '/%' then 'firm:' || ${firm_id} || ${column} else ${column} end`;

/** Converts hexadecimal text, with or without dashes, to bytes. Other texts are unchanged. */
export const shortHex = (text: string) => sql<string>`coalesce(unhex(${text}, '-'), ${text})`;

/** Restores the hash that `shortHex` wrote, in lower case. */
export const wholeHash = (column: string): string =>
  `case typeof(${column}) when 'blob' then lower(hex(${column})) else ${column} end`;

/** Restores the UUID that `shortHex` wrote (RFC 9562, section 4). */
export function wholeUuid(column: string): string {
  const groups = ["1, 8", "9, 4", "13, 4", "17, 4", "21, 12"].map((place) => `substr(lower(hex(${column})), ${place})`);
  return `case typeof(${column}) when 'blob' then ${groups.join(" || '-' || ")} else ${column} end`;
}

/** Returns an owner's id as the indexes by owner store it: a UUID's bytes, or the UTF-8 bytes of any other text. */
export function ownerBytes(id: string): Uint8Array {
  const digits = id.replaceAll("-", "");
  return Buffer.from(digits, /^(?:[0-9a-f]{2})+$/.test(digits) ? "hex" : "utf8");
}

/** Returns the same conversion as SQL, for a column. */
export const ownerColumn = (column: string): string => `coalesce(unhex(${column}, '-'), cast(${column} as blob))`;

/** Returns such SQL text as a selected column. */
export const read = <Name extends string>(text: string, name: Name) => sql.raw<string>(text).as(name);
