import type { ExpressionBuilder } from "kysely";
import { prepared } from "../prepared.ts";
import type { EffectTable, Tables } from "../schema/tables.ts";
import type { SystemDb } from "../tenancy.ts";
import type { Lease } from "../transition.ts";

export const insertEffect = prepared<EffectTable>((db, value) =>
  db.insertInto("effects").values({
    id: value("id"),
    actor_id: value("actor_id"),
    machine: value("machine"),
    firm_id: value("firm_id"),
    kind: value("kind"),
    engine: value("engine"),
    payload_json: value("payload_json"),
    due_at: value("due_at"),
    owner: value("owner"),
    lease_until: value("lease_until"),
  }),
);

/** Changes no row when the effect was done already, or is no longer wanted. */
export const deleteEffect = prepared<{ id: string }>((db, value) =>
  db.deleteFrom("effects").where("id", "=", value("id")),
);

/** Free is what nobody else holds, what was not renewed in time, and what an earlier generation of the node held. */
const isFree = (owner: string, node: string, at: number) => (eb: ExpressionBuilder<Tables, "effects">) =>
  eb.or([
    eb("owner", "is", null),
    eb("owner", "=", owner),
    eb("lease_until", "<=", at),
    eb.and([eb("owner", ">", node), eb("owner", "<", owner)]),
  ]);

/** Takes or renews a lease: one row, or none where the effect is done or another process holds it. */
export const claimEffect = prepared<Lease>((db, value) =>
  db
    .updateTable("effects")
    .set({ owner: value("owner"), lease_until: value("until") })
    .where("id", "=", value("effect_id"))
    .where(isFree(value("owner"), value("node"), value("at"))),
);

/** The same for every effect that is free, in one statement: for a start. */
export const claimFreeEffects = (db: SystemDb, { owner, node, at, until }: Omit<Lease, "effect_id">) =>
  db
    .updateTable("effects")
    .set({ owner, lease_until: until })
    .where(isFree(owner, node, at))
    .execute();

/** Who holds an effect until when; undefined where it is done. */
export const leaseOf = prepared<{ id: string }, Pick<EffectTable, "owner" | "lease_until">>((db, value) =>
  db.selectFrom("effects").select(["owner", "lease_until"]).where("id", "=", value("id")),
);

/** Everything still to do, oldest first, read once at start. */
export const allEffects = (db: SystemDb): Promise<EffectTable[]> =>
  db.selectFrom("effects").selectAll().orderBy("due_at").orderBy("id").execute();
