import { prepared } from "../prepared.ts";
import type { AudienceTable } from "../schema/validator-tables.ts";

export const insertAudience = prepared<AudienceTable>((db, value) =>
  db.insertInto("audiences").values({
    id: value("id"),
    firm_id: value("firm_id"),
    workspace_id: value("workspace_id"),
    user_id: value("user_id"),
    name: value("name"),
    description: value("description"),
    market: value("market"),
    size: value("size"),
    source: value("source"),
    created_at: value("created_at"),
  }),
);

/** An audience of the firm. Another firm's is not found. */
export const audienceInFirm = prepared<{ id: string; firm_id: string }, AudienceTable>((db, value) =>
  db.selectFrom("audiences").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

/** The firm's audiences, newest first; of one workspace if `workspace_id` is not empty. */
export const audiencesOf = prepared<{ firm_id: string; workspace_id: string }, AudienceTable>((db, value) =>
  db
    .selectFrom("audiences")
    .selectAll()
    .where("firm_id", "=", value("firm_id"))
    .where((is) => is.or([is(is.val(value("workspace_id")), "=", ""), is("workspace_id", "=", value("workspace_id"))]))
    .orderBy("id", "desc"),
);

/** Deletes an audience and returns how many were deleted. Studies keep their copies of its data. */
export const deleteAudience = prepared<{ id: string; firm_id: string }>((db, value) =>
  db.deleteFrom("audiences").where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);
