import { prepared } from "../prepared.ts";
import type { EffectTable } from "../schema/tables.ts";
import type { SystemDb } from "../tenancy.ts";

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
  }),
);

/** Changes no row when the effect was done already, or is no longer wanted. */
export const deleteEffect = prepared<{ id: string }>((db, value) =>
  db.deleteFrom("effects").where("id", "=", value("id")),
);

/** Everything still to do, oldest first, read once at start. */
export const allEffects = (db: SystemDb): Promise<EffectTable[]> =>
  db.selectFrom("effects").selectAll().orderBy("due_at").orderBy("id").execute();
