import { sql } from "kysely";
import type { Db, Store } from "./connection.ts";
import { prepared } from "./prepared.ts";
import { asHost } from "./tenancy.ts";

/**
 * Indexes by owner, filled in batches. Kept with each row, such an index touches a page of its own for nearly every
 * run, and pages are what a commit costs; in batches one page serves many. Behind the watermark a table is
 * complete; readers fill up what is missing first.
 */
const tables = {
  firm_transfers: { source: "transfers", columns: ["firm_id", "seq"] },
  workspace_runs: { source: "runs", columns: ["workspace_id", "seq"] },
  capability_runs: { source: "runs", columns: ["workspace_id", "capability", "seq"] },
} as const;

export type Derived = keyof typeof tables;

const lastTransfer = prepared<object, { seq: number }>((db) =>
  asHost(db).selectFrom("transfers").select("seq").orderBy("seq", "desc").limit(1),
);
const lastRun = prepared<object, { seq: number }>((db) =>
  asHost(db).selectFrom("runs").select("seq").orderBy("seq", "desc").limit(1),
);
const watermark = prepared<{ name: string }, { seq: number }>((db, value) =>
  db.selectFrom("watermarks").select("seq").where("name", "=", value("name")),
);

async function span(db: Db, name: Derived): Promise<{ from: number; upto: number }> {
  const last = tables[name].source === "runs" ? lastRun : lastTransfer;
  const from = (await watermark.first(db, { name }))?.seq ?? 0;
  return { from, upto: (await last.first(db, {}))?.seq ?? 0 };
}

/** Enters what is behind the watermark. Called every so many rows by whoever writes them, and by `upToDate`. */
export async function fill(tx: Db, name: Derived): Promise<void> {
  const { from, upto } = await span(tx, name);
  if (upto === from) return;
  const { source, columns } = tables[name];
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const owned = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` and `,
  );
  await sql`insert into ${sql.table(name)} (${list})
    select ${list} from ${sql.table(source)} where seq > ${from} and ${owned}`.execute(asHost(tx));
  await tx
    .insertInto("watermarks")
    .values({ name, seq: upto })
    .onConflict((c) => c.column("name").doUpdateSet({ seq: upto }))
    .execute();
}

/** For readers: a write only where something is missing. */
export async function upToDate(store: Store, name: Derived): Promise<void> {
  const { from, upto } = await span(store.read, name);
  if (from < upto) await store.write((tx) => fill(tx, name));
}
