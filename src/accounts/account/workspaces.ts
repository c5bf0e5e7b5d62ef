import { firmById, workspacesOf } from "../../../db/queries/firms.ts";
import type { Db } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { rfc3339 } from "../../platform/clock.ts";
import type { Workspace } from "./schema.ts";

/**
 * Returns the workspaces that the caller may use: a key's own, or all of a person's firm, the firm's first one first.
 */
export async function workspacesFor(db: Db, { firm_id, workspace_id, role }: Principal): Promise<Workspace[]> {
  const firm = present(await firmById.first(db, { id: firm_id }), "the caller's firm");
  const rows = await workspacesOf.all(db, { firm_id });
  return rows
    .filter((row) => workspace_id === null || row.id === workspace_id)
    .map(({ id, name, slug, created_at }) => ({
      id,
      name,
      slug,
      firm: { id: firm.id, name: firm.name },
      role,
      status: "active",
      created_at: rfc3339(created_at),
    }));
}
