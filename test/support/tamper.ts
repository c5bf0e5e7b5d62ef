import { Database } from "bun:sqlite";
import { expect } from "bun:test";

/** Changes rows directly in the file, bypassing the product. */
export function tamper(file: string, ...statements: readonly string[]): void {
  const database = new Database(file);
  const triggers = database.query<{ name: string }, []>("select name from sqlite_master where type = 'trigger'").all();
  for (const { name } of triggers) database.run(`drop trigger ${name}`);
  for (const sql of statements) expect([sql, database.run(sql).changes > 0]).toEqual([sql, true]);
  database.close();
}
