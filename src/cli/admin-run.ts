import { allFirms, findFirm, membersOf, userByEmail, workspacesOf } from "../../db/queries/firms.ts";
import type { FirmTable, WorkspaceTable } from "../../db/schema/tables.ts";
import type { Db, Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Creation, operator } from "../accounts/admin/audit-context.ts";
import { normalEmail } from "../accounts/admin/users.ts";
import { type Context, printJson } from "./context.ts";
import { pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";

/** Helpers of the `assay admin` commands. */

/** Runs `work` on the configured installation. */
export const look = <T>({ configure }: Context, work: (store: Store) => Promise<T>): Promise<T> =>
  withStore(pathsOf(configure().settings), work);

/** Runs `work` on the configured installation in one transaction, audited as done now by the operator. */
export function change<T>(context: Context, work: (tx: Db, audit: Creation) => Promise<T>): Promise<T> {
  const { runtime } = context.io;
  return look(context, (store) => store.write((tx) => work(tx, { actor: operator, at: runtime.now(), runtime })));
}

/** Prints a result as JSON or as lines. */
export function show(io: Io, json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  if (json) printJson(io, value);
  else for (const line of lines) io.out(line);
}

/** Returns the firm with this id or slug, or the only firm if none is given. Throws exit 1 or 2 if there is none. */
export async function firmOf(db: Db, given: string | undefined): Promise<FirmTable> {
  if (given !== undefined) {
    const found = await findFirm(db, given);
    if (found) return found;
    throw new CommandError(2, `there is no firm ${given}`, "`assay admin firms list` shows them.");
  }
  const [first, ...others] = await allFirms(unscoped(db));
  if (!first) throw new CommandError(1, "there is no firm yet", "Run `assay init` or `assay admin firms create`.");
  if (others.length > 0)
    throw new CommandError(2, "there are several firms: name one with --firm", "`assay admin firms list` shows them.");
  return first;
}

/** Returns the error (exit 2) for something that a firm does not have. Its hint says how to list what it has. */
export const unknownIn = ({ slug }: FirmTable, list: string, what: string): CommandError =>
  new CommandError(2, `${slug} has no ${what}`, `\`assay admin ${list} list --firm ${slug}\` shows what it has.`);

/** Returns the firm's workspace with this id or slug, or its first one if none is given. */
export async function workspaceOf(db: Db, firm: FirmTable, given: string | undefined): Promise<WorkspaceTable> {
  const all = await workspacesOf.all(db, { firm_id: firm.id });
  const found = given === undefined ? all[0] : all.find(({ id, slug }) => id === given || slug === given);
  if (found) return found;
  if (given === undefined)
    throw new CommandError(1, `${firm.slug} has no workspace yet`, "Create one with `assay admin workspaces create`.");
  throw unknownIn(firm, "workspaces", `workspace ${given}`);
}

/** Returns the id of the firm's user with this address, or of its only user if none is given. */
export async function personOf(db: Db, firm: FirmTable, email: string | undefined): Promise<string> {
  const members = await membersOf(db, firm.id);
  const wanted = email === undefined ? undefined : normalEmail(email);
  const found = wanted === undefined ? members : members.filter((member) => member.email === wanted);
  const [first, ...others] = found;
  if (first && others.length === 0) return first.id;
  if (wanted !== undefined) throw unknownIn(firm, "users", `user ${wanted}`);
  const { slug } = firm;
  throw first
    ? new CommandError(
        2,
        `${slug} has several users: name one with --user`,
        `\`assay admin users list --firm ${slug}\` shows them.`,
      )
    : new CommandError(2, `${slug} has no users yet`, `Run \`assay admin users create --firm ${slug}\`.`);
}

/** Returns the id of the user with this address, in any firm. */
export async function anyoneOf(db: Db, email: string): Promise<string> {
  const user = await userByEmail(db, normalEmail(email));
  if (!user) throw new CommandError(2, `there is no user ${email}`, "`assay admin users list` shows them.");
  return user.id;
}
