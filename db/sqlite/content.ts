import { openUnchanged } from "./look.ts";
import { migrationNames } from "./migrate.ts";

/** What a database file holds: an installation, nothing at all, or what another program keeps. */
export type DatabaseContent = "installation" | "nothing" | "foreign";

/**
 * Looks into a database file and changes nothing: not even its journal mode, which opening a store would set. The file
 * must not be of 0 bytes: SQLite deletes the log beside such a one. Commands ask before they open an installation. Throws
 * what SQLite throws.
 */
export function contentOf(file: string): DatabaseContent {
  const database = openUnchanged(file);
  try {
    const names = database.query<{ name: string }, []>("select name from sqlite_master").all();
    if (names.length === 0) return "nothing";
    if (!names.some(({ name }) => name === "kysely_migration")) return "foreign";
    const [first = ""] = migrationNames;
    const begun = database.query("select 1 from kysely_migration where name = ?").get(first);
    return begun ? "installation" : "foreign";
  } finally {
    database.close();
  }
}
