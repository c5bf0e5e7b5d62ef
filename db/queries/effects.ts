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

/** Changes no row if the effect was already done or is no longer wanted. */
export const deleteEffect = prepared<{ id: string }>((db, value) =>
  db.deleteFrom("effects").where("id", "=", value("id")),
);

/**
 * An effect is free if no other process holds it, its lease has expired, or an earlier generation of the node held it.
 */
const isFree = (owner: string, node: string, at: number) => (eb: ExpressionBuilder<Tables, "effects">) =>
  eb.or([
    eb("owner", "is", null),
    eb("owner", "=", owner),
    eb("lease_until", "<=", at),
    eb.and([eb("owner", ">", node), eb("owner", "<", owner)]),
  ]);

/** Takes or renews a lease. Changes no row if the effect is done or held by another process. */
export const claimEffect = prepared<Lease>((db, value) =>
  db
    .updateTable("effects")
    .set({ owner: value("owner"), lease_until: value("until") })
    .where("id", "=", value("effect_id"))
    .where(isFree(value("owner"), value("node"), value("at"))),
);

/** Takes the lease of every free effect, in one statement. For start-up. */
export const claimFreeEffects = (db: SystemDb, { owner, node, at, until }: Omit<Lease, "effect_id">) =>
  db
    .updateTable("effects")
    .set({ owner, lease_until: until })
    .where(isFree(owner, node, at))
    .execute();

/** Who holds an effect, and until when; `undefined` if it is done. */
export const leaseOf = prepared<{ id: string }, Pick<EffectTable, "owner" | "lease_until">>((db, value) =>
  db.selectFrom("effects").select(["owner", "lease_until"]).where("id", "=", value("id")),
);

/** All effects still to be done, oldest first. Read once at start-up. */
export const allEffects = (db: SystemDb): Promise<EffectTable[]> =>
  db.selectFrom("effects").selectAll().orderBy("due_at").orderBy("id").execute();
