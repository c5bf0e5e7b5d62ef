import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Refresh tokens store their generation instead of their parent, and their own first use instead of their successor's,
 * so that two branches of one family detect each other.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const tables = [
    { table: "refresh_tokens", owner: "session_id", owners: "sessions" },
    { table: "connection_tokens", owner: "connection_id", owners: "connections" },
  ];
  for (const { table, owner, owners } of tables) {
    await sql`alter table ${sql.table(table)} add column generation integer not null default 0`.execute(db);
    await sql`alter table ${sql.table(table)} add column used_at bigint`.execute(db);
    await sql`with recursive family (hash, generation) as (
        select hash, 0 from ${sql.table(table)} as t
          where parent is null or not exists (select 1 from ${sql.table(table)} as p where p.hash = t.parent)
        union all
        select t.hash, family.generation + 1 from ${sql.table(table)} as t join family on t.parent = family.hash)
      update ${sql.table(table)} as t set generation = (select generation from family where family.hash = t.hash)`.execute(
      db,
    );
    // An exchanged token was used, at about the time recorded in its parent or when the family began.
    await sql`update ${sql.table(table)} as t set used_at = coalesce(
        (select p.successor_used_at from ${sql.table(table)} as p where p.hash = t.parent),
        (select o.created_at from ${sql.table(owners)} as o where o.id = t.${sql.ref(owner)}))
      where exists (select 1 from ${sql.table(table)} as c where c.parent = t.hash)`.execute(db);
    for (const column of ["parent", "successor_used_at"])
      await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db);
  }
}
