import { Database } from "bun:sqlite";
import { migrationNames } from "./migrate.ts";

/** What a database file holds: an installation, nothing at all, or what another program keeps. */
export type DatabaseContent = "installation" | "nothing" | "foreign";

/**
 * Looks into a database file and changes nothing: not even its journal mode, which opening a store would set. The file
 * must not be of 0 bytes: SQLite deletes the log beside such a one. Commands ask before they open an installation. Throws
 * what SQLite throws.
 */
export function contentOf(file: string): DatabaseContent {
  const database = new Database(file, { readonly: true, strict: true });
  try {
    database.run("pragma busy_timeout = 5000");
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
