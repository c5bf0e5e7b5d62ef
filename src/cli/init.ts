import type { Command } from "commander";
import { allFirms } from "../../db/queries/firms.ts";
import { openLook } from "../../db/sqlite/look.ts";
import { migrationState } from "../../db/sqlite/migrate.ts";
import type { Db } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Creation, operator } from "../accounts/admin/audit-context.ts";
import { grantCredits } from "../accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../accounts/admin/firms.ts";
import { createApiKey, grantableTo } from "../accounts/admin/keys.ts";
import { switchGate } from "../accounts/admin/permissions.ts";
import { createUser, setOperator } from "../accounts/admin/users.ts";
import { resetLink } from "../accounts/auth/links.ts";
import { issueOneTimeToken } from "../accounts/auth/one-time.ts";
import { createPasswords } from "../accounts/auth/passwords.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { type Answers, answersOf, gatesHelp, type InitFlags, leftByAll } from "./init-answers.ts";
import { ensureMasterKey, isServed, type Paths, pathsOf, publicAddress, withStore } from "./installation.ts";
import { CommandError } from "./io.ts";
import { hasDatabase, refuseLost } from "./lost-database.ts";
import { migrateInstallation } from "./migrate.ts";
import { explainingStorage } from "./storage-trouble.ts";
import { pairs } from "./table.ts";

const firstKeyName = "First key";
const usual = { workspace: "Main", credits: "0", gates: "none" };

const alreadySetUp = (): CommandError =>
  new CommandError(1, "this installation is already set up", "Use `assay admin` to change it.");

/** Throws if the installation is already set up, before any question is asked. */
async function refuseSetUp(paths: Paths): Promise<void> {
  refuseLost(paths);
  if (!hasDatabase(paths)) return;
  const { read, close } = openLook(paths.database);
  try {
    const { applied } = await migrationState({ read });
    if (applied.length > 0 && (await allFirms(unscoped(read))).length > 0) throw alreadySetUp();
  } finally {
    await close();
  }
}

/** Creates the firm with its owner, workspace, credits, gates and first key, in the caller's transaction. */
async function setUp(tx: Db, act: Creation, answers: Answers, password_hash: string | null, baseUrl: string) {
  if ((await allFirms(unscoped(tx))).length > 0) throw alreadySetUp();
  const { email, name: full_name, credits } = answers;
  const firm = await createFirm(tx, act, { name: answers.firm });
  const owner = await createUser(tx, act, { firm_id: firm.id, email, full_name, role: "owner", password_hash });
  await setOperator(tx, act, owner, true);
  const link = { user_id: owner.id, purpose: "reset", email: owner.email } as const;
  const token = password_hash === null ? await issueOneTimeToken(tx, act.runtime, act.at, link) : undefined;
  const workspace = await createWorkspace(tx, act, firm.id, { name: answers.workspace });
  if (credits !== 0) await grantCredits(tx, act, { firm_id: firm.id, credits, reason: "starting credits" });
  for (const gate of answers.gates) await switchGate(tx, act, gate, true);
  const { key, secret } = await createApiKey(tx, act, {
    firm_id: firm.id,
    workspace_id: workspace.id,
    user_id: owner.id,
    name: firstKeyName,
    scopes: [...(await grantableTo(tx, firm.id, owner.id))],
    expires_at: null,
  });
  return {
    firm: { id: firm.id, name: firm.name, slug: firm.slug },
    owner: { id: owner.id, email: owner.email },
    workspace: { id: workspace.id, name: workspace.name, slug: workspace.slug },
    credits,
    gates_opened: answers.gates,
    api_key: { id: key.id, secret },
    password_link: token === undefined ? null : resetLink(baseUrl, token),
  };
}

/** `assay init` */
export function register(program: Command, { io, configure }: Context): void {
  program
    .command("init")
    .description("Set up the installation: owner, firm, workspace, credits, gates and a first API key")
    .option("--email <address>", "the owner's e-mail address")
    .option("--name <name>", "the owner's full name")
    .option("--firm <name>", "the firm's name")
    .option("--workspace <name>", "its first workspace", usual.workspace)
    .option("--credits <number>", "starting credits", usual.credits)
    .option("--gates <list>", gatesHelp, usual.gates)
    .option("--json", jsonHelp)
    .action(async (flags: InitFlags) => {
      const configuration = configure();
      const { settings } = configuration;
      const paths = pathsOf(settings);
      await explainingStorage(paths, () => refuseSetUp(paths));
      const answers = await answersOf(flags, io);
      if (!isServed(paths)) await migrateInstallation(paths, io);
      const { runtime } = io;
      const { password } = answers;
      const hash = password === undefined ? null : await createPasswords(runtime).hash(password);
      const act = { actor: operator, at: runtime.now(), runtime };
      const made = await withStore(paths, async (store) => {
        await ensureMasterKey(runtime, settings, paths, store);
        return store.write((tx) => setUp(tx, act, answers, hash, publicAddress(configuration, paths)));
      });
      for (const gate of leftByAll(made.gates_opened))
        io.err(
          `${gate} awaits commercial validation and stays closed. Open it with \`assay admin gates open ${gate}\`.`,
        );
      if (flags.json) return printJson(io, made);
      const { firm, owner, workspace, credits, gates_opened, api_key, password_link } = made;
      const opened = gates_opened.length === 0 ? "none" : gates_opened.join(", ");
      const told = { firm: firm.slug, owner: owner.email, workspace: workspace.slug, credits, "open gates": opened };
      for (const line of pairs(io, { ...told, "API key": api_key.secret, password_link })) io.out(line);
      if (password_link !== null)
        io.err(
          `The owner can set a password through the link once the server is running. It is valid for an hour and works once; after that, run \`assay admin users set-password ${owner.email}\`.`,
        );
      io.err("The API key's secret is shown only once. Next: `assay serve`, and `assay doctor` if something is wrong.");
    });
}
