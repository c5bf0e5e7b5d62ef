import { findFirm, insertFirm, insertWorkspace, workspacesOf } from "../../../db/queries/firms.ts";
import type { FirmTable, WorkspaceTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { checkedName } from "../../platform/names.ts";
import { fold } from "../../platform/text.ts";
import { type Creation, record } from "./audit-context.ts";

export interface Naming {
  /** 1-120 characters. */
  readonly name: string;
  /** Lower-case words joined by hyphens. If absent, derived from the name, with a number appended if taken. */
  readonly slug?: string | undefined;
}

interface Named {
  readonly name: string;
  readonly slug: string;
}

const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slugLength = 60;

/** Returns the name's words in lower-case ASCII, joined by hyphens. */
const slugFrom = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, "") || "unnamed";

/**
 * Returns the validated name and a free slug for it. Throws `validation_error` if either is invalid or the slug is
 * taken.
 */
async function named({ name, slug }: Naming, isTaken: (slug: string) => Promise<boolean>): Promise<Named> {
  const trimmed = checkedName(name, "/name", 120);
  if (slug !== undefined) {
    if (!slugForm.test(slug) || slug.length > slugLength)
      throw invalid("/slug", "must be lower-case words joined by hyphens");
    if (await isTaken(slug)) throw invalid("/slug", "is already taken");
    return { name: trimmed, slug };
  }
  const base = slugFrom(trimmed);
  let free = base;
  for (let n = 2; await isTaken(free); n++) free = `${base}-${n}`;
  return { name: trimmed, slug: free };
}

/** Creates a firm, without people, workspaces or credits. Called by `admin firms create`, `init` and the demo. */
export async function createFirm(tx: Db, audit: Creation, naming: Naming): Promise<FirmTable> {
  const given = await named(naming, async (slug) => (await findFirm(tx, slug)) !== undefined);
  const firm: FirmTable = { id: audit.runtime.id(), name: given.name, slug: given.slug, created_at: audit.at };
  await insertFirm(tx, firm);
  await record(tx, audit, "firm.created", firm.id, firm.id);
  return firm;
}

/** Creates a workspace in a firm. Its slug is unique within the firm. */
export async function createWorkspace(
  tx: Db,
  audit: Creation,
  firm_id: string,
  naming: Naming,
): Promise<WorkspaceTable> {
  const taken = new Set((await workspacesOf.all(tx, { firm_id })).map((workspace) => workspace.slug));
  const given = await named(naming, async (slug) => taken.has(slug));
  const workspace: WorkspaceTable = {
    id: audit.runtime.id(),
    firm_id,
    name: given.name,
    slug: given.slug,
    created_at: audit.at,
  };
  await insertWorkspace(tx, workspace);
  await record(tx, audit, "workspace.created", workspace.id, firm_id);
  return workspace;
}
