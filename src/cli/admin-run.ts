import { allFirms, findFirm, membersOf, userByEmail, workspacesOf } from "../../db/queries/firms.ts";
import type { FirmTable, WorkspaceTable } from "../../db/schema/tables.ts";
import type { Db, Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Creation, operator } from "../accounts/admin/audit-context.ts";
import { normalEmail } from "../accounts/admin/users.ts";
import { type Context, printJson } from "./context.ts";
import { pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";

/** What every `assay admin` command does around its own work. */

/** Reads from the configured installation. */
export const look = <T>({ configure }: Context, work: (store: Store) => Promise<T>): Promise<T> =>
  withStore(pathsOf(configure().settings), work);

/** Changes the configured installation in one transaction, as the operator, now. */
export function change<T>(context: Context, work: (tx: Db, audit: Creation) => Promise<T>): Promise<T> {
  const { runtime } = context.io;
  return look(context, (store) => store.write((tx) => work(tx, { actor: operator, at: runtime.now(), runtime })));
}

/** Prints a result: as JSON when asked for, else as the lines people read. */
export function show(io: Io, json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  if (json) printJson(io, value);
  else for (const line of lines) io.out(line);
}

/** The firm by id or slug; without one given, the only firm there is. */
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

/** Refuses (exit 2) a name or an id that a firm has nothing of, and says how to list what it has. */
export const unknownIn = ({ slug }: FirmTable, list: string, what: string): CommandError =>
  new CommandError(2, `${slug} has no ${what}`, `\`assay admin ${list} list --firm ${slug}\` shows what it has.`);

/** The firm's workspace by id or slug; without one given, its first. */
export async function workspaceOf(db: Db, firm: FirmTable, given: string | undefined): Promise<WorkspaceTable> {
  const all = await workspacesOf.all(db, { firm_id: firm.id });
  const found = given === undefined ? all[0] : all.find(({ id, slug }) => id === given || slug === given);
  if (found) return found;
  if (given === undefined) throw new CommandError(1, `${firm.slug} has no workspace yet`, "Create one first.");
  throw unknownIn(firm, "workspaces", `workspace ${given}`);
}

/** The id of the firm's person with that address; without one given, of the only person. */
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
        `${slug} has several people: name one with --user`,
        `\`assay admin users list --firm ${slug}\` shows them.`,
      )
    : new CommandError(2, `${slug} has nobody yet`, `Run \`assay admin users create --firm ${slug}\`.`);
}

/** The id of the person with that address, in whichever firm. */
export async function anyoneOf(db: Db, email: string): Promise<string> {
  const user = await userByEmail(db, normalEmail(email));
  if (!user) throw new CommandError(2, `there is no user ${email}`, "`assay admin users list` shows them.");
  return user.id;
}
