import { openUnchanged } from "./look.ts";
import { migrationNames } from "./migrate.ts";

/** What a database file contains: an installation, nothing, or another program's data. */
export type DatabaseContent = "installation" | "nothing" | "foreign";

/**
 * Inspects a database file without changing anything, not even the journal mode, which opening a store would set. The
 * file must not be empty (0 bytes): SQLite would delete the WAL next to it. Commands check this before they open an
 * installation. Throws SQLite's errors.
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
