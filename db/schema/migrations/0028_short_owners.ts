import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The indexes by owner, and their other columns. */
const indexes = {
  firm_transfers: ["firm_id", "seq", "available_after", "reserved_after"],
  workspace_transfers: ["owner_id", "seq"],
  workspace_runs: ["workspace_id", "seq"],
  capability_runs: ["workspace_id", "capability", "seq"],
  use_case_runs: ["workspace_id", "use_case", "seq"],
} as const;

/** Stores the owner as the bytes of its id in the indexes by owner, which have one to three rows per run. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const [name, [owner, ...rest]] of Object.entries(indexes)) {
    const columns = sql.join(rest.map((column) => sql.ref(column)));
    await sql`create temp table moved as
      select coalesce(unhex(${sql.ref(owner)}, '-'), cast(${sql.ref(owner)} as blob)) as owner, ${columns} from ${sql.table(name)}`.execute(
      db,
    );
    await sql`delete from ${sql.table(name)}`.execute(db);
    await sql`insert into ${sql.table(name)} (${sql.ref(owner)}, ${columns})
      select owner, ${columns} from moved order by owner, seq`.execute(db);
    await sql`drop table moved`.execute(db);
  }
}
