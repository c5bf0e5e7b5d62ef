import { Argument, type Command, Option } from "commander";
import { membersOf, userById } from "../../db/queries/firms.ts";
import type { FirmTable, Role } from "../../db/schema/tables.ts";
import { addMember, changeRole, removeMember } from "../accounts/admin/members.ts";
import { isInAFirm, roles, setOperator, setPassword } from "../accounts/admin/users.ts";
import { accessOf, revokeAccess } from "../accounts/auth/credentials.ts";
import { checkPassword, createPasswords, passwordLength } from "../accounts/auth/passwords.ts";
import { issueAccessToken } from "../identity/access-token.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { Failure } from "../platform/errors.ts";
import { anyoneOf, change, firmOf, look, personOf, show } from "./admin-run.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { ensureMasterKey, openKeys, pathsOf, publicAddress, withStore } from "./installation.ts";
import { CommandError } from "./io.ts";
import { chosenPassword } from "./password-prompt.ts";
import { grid } from "./table.ts";

interface CreateFlags {
  readonly email: string;
  readonly name?: string;
  readonly role: Role;
  readonly firm?: string;
  readonly json?: boolean;
}

/** Says how to bring back a removed user. */
const bringBack = (email: string): string =>
  `To add them to a firm again, run \`assay admin users create --email ${email}\` or invite them.`;

/** Issues an access token for a user, to act as them on the command line, e.g. to decide approvals. */
async function tokenFor({ io: { runtime }, configure }: Context, email: string, baseUrl: string | undefined) {
  const configuration = configure(baseUrl === undefined ? {} : { base_url: baseUrl });
  const paths = pathsOf(configuration.settings);
  return withStore(paths, async (store) => {
    const user_id = await anyoneOf(store.read, email);
    if (!(await isInAFirm(store.read, user_id)))
      throw new CommandError(2, `${email} is in no firm, so a token would give no access`, bringBack(email));
    const masterKey = await ensureMasterKey(runtime, configuration.settings, paths, store);
    const issuer = publicAddress(configuration, paths);
    const keyring = await openKeys(runtime, store, masterKey, issuer);
    const { token, expires_at } = issueAccessToken(keyring, issuer, user_id, runtime);
    return { access_token: token, token_type: "bearer", expires_at: rfc3339(expires_at), issuer };
  });
}

/** Reads the password from a prompt or stdin, never from the command line, where every process could read it. */
async function givenPassword({ io }: Context, email: string): Promise<string> {
  if (io.ask) {
    const asked = await chosenPassword(io, io.ask, `New password for ${email} (not shown): `);
    if (asked !== "") return asked;
    throw new CommandError(2, "no password was typed; nothing was changed");
  }
  const password = (await io.stdin()).replace(/\r?\n$/, "");
  const { minLength, maxLength } = passwordLength;
  if (password.length < minLength || password.length > maxLength)
    throw new CommandError(2, `the password on stdin must have ${minLength} to ${maxLength} characters`);
  checkPassword(password, "/password");
  return password;
}

/** `assay admin users set-password` */
function registerSetPassword(users: Command, context: Context): void {
  users
    .command("set-password")
    .description("Set a user's password, read from a prompt or stdin, and end their sessions")
    .argument("<email>", "the user's e-mail address")
    .option("--revoke-access", "also revoke the user's API keys and connections")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: { json?: boolean; revokeAccess?: true }) => {
      const id = await look(context, ({ read }) => anyoneOf(read, email));
      const password_hash = await createPasswords(context.io.runtime).hash(await givenPassword(context, email));
      const revoked = flags.revokeAccess === true;
      const access = await change(context, async (tx, audit) => {
        const standing = await accessOf(tx, id, audit.at);
        await setPassword(tx, audit, id, password_hash);
        if (revoked) await revokeAccess(tx, audit, id);
        return standing;
      });
      const told = `${access.api_keys} API keys and ${access.connections} connections`;
      const rest = revoked ? `revoked ${told}` : `${told} still work; use --revoke-access to revoke them`;
      const view = { id, changed: true, ...access, revoked };
      show(context.io, flags.json, view, [`set the password of ${email} and ended their sessions`, rest]);
    });
}

/** Awaits `work` and rewrites an error about `/user_id` to name the user by e-mail address. */
async function aboutPerson<T>(email: string, firm: FirmTable, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const [detail] = error instanceof Failure ? error.details : [];
    if (detail?.path !== "/user_id") throw error;
    throw new CommandError(2, `${email} of ${firm.slug} ${detail.message}`);
  }
}

/** `assay admin users role` and `remove` */
function registerMembers(users: Command, context: Context): void {
  const { io } = context;
  users
    .command("role")
    .description("Change a user's role; it limits their keys and connections at once")
    .argument("<email>", "the user's e-mail address")
    .addArgument(new Argument("<role>", "the user's role").choices(roles))
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (email: string, role: Role, flags: { firm?: string; json?: boolean }) => {
      const view = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        const user_id = await personOf(tx, firm, email);
        const changed = await aboutPerson(email, firm, changeRole(tx, audit, { firm_id: firm.id, user_id }, role));
        return { id: user_id, role, changed };
      });
      show(io, flags.json, view, [`${email} is ${view.changed ? "now" : "already"} ${role}`]);
    });
  users
    .command("remove")
    .description(
      "Remove a user from a firm and end their keys, connections and sessions; their runs continue, and their account is kept for `users create` or an invitation",
    )
    .argument("<email>", "the user's e-mail address")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: { firm?: string; json?: boolean }) => {
      const view = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        const id = await personOf(tx, firm, email);
        const removed = await aboutPerson(email, firm, removeMember(tx, audit, firm.id, id));
        return { id, firm: firm.slug, ...removed };
      });
      const { firm, api_keys, connections, sessions } = view;
      show(io, flags.json, view, [
        `removed ${email} from ${firm}; ended ${api_keys} keys, ${connections} connections and ${sessions} sessions`,
        `Their runs continue and are charged to the firm. Their account is kept. ${bringBack(email)}`,
      ]);
    });
}

/** `assay admin users operator` */
function registerOperator(users: Command, context: Context): void {
  users
    .command("operator")
    .description("Allow a user to run the installation from a browser (/v1/operator), or withdraw that right")
    .argument("<email>", "the user's e-mail address")
    .addArgument(new Argument("<verb>", "whether to allow it").choices(["grant", "withdraw"]))
    .option("--json", jsonHelp)
    .action(async (email: string, verb: "grant" | "withdraw", flags: { json?: boolean }) => {
      const view = await change(context, async (tx, audit) => {
        const user = await userById(tx, await anyoneOf(tx, email));
        const changed = user !== undefined && (await setOperator(tx, audit, user, verb === "grant"));
        return { id: user?.id, operator: verb === "grant", changed };
      });
      const granted = view.changed ? "is now an operator" : "is already an operator";
      const withdrawn = view.changed ? "is no longer an operator" : "is not an operator";
      show(context.io, flags.json, view, [`${email} ${view.operator ? granted : withdrawn}`]);
    });
}

/** `assay admin users …` */
export function registerUserCommands(admin: Command, context: Context): void {
  const { io } = context;
  const users = admin.command("users").description("Manage a firm's users");
  users
    .command("list")
    .description("List a firm's users")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; json?: boolean }) => {
      const all = await look(context, async ({ read }) => membersOf(read, (await firmOf(read, flags.firm)).id));
      const view = all.map((user) => ({
        ...user,
        created_at: rfc3339(user.created_at),
        joined_at: rfc3339(user.joined_at),
        email_confirmed_at: rfc3339OrNull(user.email_confirmed_at),
        last_sign_in_at: rfc3339OrNull(user.last_sign_in_at),
      }));
      const rows = view.map((user) => [user.email, user.full_name, user.role, user.id, user.created_at]);
      show(io, flags.json, view, grid(io, ["EMAIL", "NAME", "ROLE", "ID", "CREATED"], rows));
    });
  users
    .command("create")
    .description(
      "Add a new or removed user to a firm; a removed one gets back their account, password and runs, but no keys, connections or operator rights",
    )
    .requiredOption("--email <address>", "e-mail address")
    .option("--name <name>", "full name")
    .addOption(new Option("--role <role>", "the user's role").choices(roles).default("member"))
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: CreateFlags) => {
      const { user, isBack } = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        const { email, role, name: full_name = null } = flags;
        return addMember(tx, audit, { firm_id: firm.id, email, role, full_name });
      });
      const { id, email, full_name, created_at } = user;
      const view = { id, email, full_name, role: flags.role, created_at: rfc3339(created_at), is_back: isBack };
      const done = isBack ? "brought back" : "created";
      show(io, flags.json, view, [`${done} ${email} (${id}), ${flags.role}`]);
    });
  users
    .command("token")
    .description("Issue an access token for a user, valid for 15 minutes, e.g. to decide approvals on the command line")
    .argument("<email>", "the user's e-mail address")
    .option("--base-url <url>", "the address of the server that the token is for")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: { baseUrl?: string; json?: boolean }) => {
      const view = await tokenFor(context, email, flags.baseUrl);
      if (flags.json) return printJson(io, view);
      io.out(view.access_token);
      io.err(`valid for ${view.issuer} until ${view.expires_at}; set it as ASSAY_ACCESS_TOKEN`);
    });
  registerSetPassword(users, context);
  registerMembers(users, context);
  registerOperator(users, context);
}
