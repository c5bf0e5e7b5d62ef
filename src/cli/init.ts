import type { Command } from "commander";
import { allFirms } from "../../db/queries/firms.ts";
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
import { capabilities } from "../products/capabilities/index.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { platformGate } from "../registry/registry.ts";
import { type Context, jsonHelp, printJson, wholeNumber } from "./context.ts";
import { ensureMasterKey, isServed, pathsOf, publicAddress, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";
import { migrateInstallation } from "./migrate.ts";
import { chosenPassword } from "./password-prompt.ts";
import { pairs } from "./table.ts";

interface InitFlags {
  readonly email?: string;
  readonly name?: string;
  readonly firm?: string;
  readonly workspace: string;
  readonly credits: number;
  readonly gates: string;
  readonly json?: boolean;
}

/** What the first set-up makes. */
interface Answers {
  readonly email: string;
  readonly name: string | null;
  readonly firm: string;
  readonly workspace: string;
  readonly credits: number;
  readonly gates: readonly string[];
  /** Undefined: the owner chooses one through a link. */
  readonly password?: string | undefined;
}

const firstKeyName = "First key";
const usual = { workspace: "Main", credits: 0, gates: "none" };

/** Gates that `all` means: everything but what waits for its commercial validation. */
const openable = [
  platformGate,
  ...capabilities.map((capability) => capability.slug),
  ...useCases.filter((useCase) => useCase.status !== "validation_required").map((useCase) => useCase.slug),
];

/** `all`, `none`, or names with commas between them. */
function gateNames(text: string): readonly string[] {
  if (text === "all") return openable;
  if (text === "none" || text.trim() === "") return [];
  const names = text.split(",").map((name) => name.trim());
  const known = [platformGate, ...capabilities.map(({ slug }) => slug), ...useCases.map(({ slug }) => slug)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new CommandError(2, `there is no gate ${unknown}`, `Give all, none, or some of: ${known.join(", ")}`);
  return names;
}

/** Asks for what was not given, one line each. An empty answer takes the usual value. */
async function ask(flags: InitFlags, prompt: NonNullable<Io["ask"]>): Promise<Answers> {
  const question = async (text: string, instead: string): Promise<string> => {
    const answer = (await prompt(instead === "" ? `${text}: ` : `${text} [${instead}]: `)).trim();
    return answer === "" ? instead : answer;
  };
  const needed = async (text: string, given: string | undefined): Promise<string> => {
    for (;;) {
      const answer = given ?? (await question(text, ""));
      if (answer !== "") return answer;
    }
  };
  const email = await needed("Your e-mail address", flags.email);
  const name = flags.name ?? (await question("Your name (may stay empty)", ""));
  const firm = await needed("Your firm's name", flags.firm);
  const workspace = await question("Its first workspace", flags.workspace);
  const credits = Number(await question("Credits to begin with", String(flags.credits)));
  const gates = gateNames(await question("Gates to open (all, none, or names with commas)", flags.gates));
  return { email, name: name || null, firm, workspace, credits, gates };
}

/** All that is needed, where it was given on the command line. */
function givenAnswers({ email, firm, name, workspace, credits, gates }: InitFlags): Answers | undefined {
  if (email === undefined || firm === undefined) return undefined;
  return { email, firm, name: name ?? null, workspace, credits, gates: gateNames(gates) };
}

/** What is not given is asked for on a terminal, the owner's password always; a script gets a link to choose one. */
async function answersOf(flags: InitFlags, io: Io): Promise<Answers> {
  const given = givenAnswers(flags);
  const prompt = flags.json ? undefined : io.ask;
  if (given && !prompt) return given;
  if (!prompt)
    throw new CommandError(2, "--email and --firm are needed where nobody can be asked", "See `assay help init`.");
  if (!given) io.err("A few questions make this installation yours. Everything can be changed later by `assay admin`.");
  const answers = given ?? (await ask(flags, prompt));
  const password = await chosenPassword(io, prompt, "Your password (empty: a link to choose one is printed): ");
  return { ...answers, password: password === "" ? undefined : password };
}

/** The owner with a way in, the firm, its workspace, its credits, the open gates and a first key: all or nothing. */
async function setUp(tx: Db, act: Creation, answers: Answers, password_hash: string | null, baseUrl: string) {
  if ((await allFirms(unscoped(tx))).length > 0)
    throw new CommandError(1, "this installation has a firm already", "Use `assay admin` to change it.");
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
    .description("first set-up: owner, firm, workspace, credits, gates and a first API key")
    .option("--email <address>", "the owner's e-mail address")
    .option("--name <name>", "the owner's full name")
    .option("--firm <name>", "the firm's name")
    .option("--workspace <name>", "its first workspace", usual.workspace)
    .option("--credits <number>", "credits to begin with", wholeNumber, usual.credits)
    .option("--gates <list>", "gates to open: all, none, or names with commas", usual.gates)
    .option("--json", jsonHelp)
    .action(async (flags: InitFlags) => {
      const configuration = configure();
      const { settings } = configuration;
      const paths = pathsOf(settings);
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
      if (flags.json) return printJson(io, made);
      const { firm, owner, workspace, credits, gates_opened, api_key, password_link } = made;
      const opened = gates_opened.length === 0 ? "none" : gates_opened.join(", ");
      const told = { firm: firm.slug, owner: owner.email, workspace: workspace.slug, credits, "open gates": opened };
      for (const line of pairs(io, { ...told, "API key": api_key.secret, password_link })) io.out(line);
      if (password_link !== null)
        io.err(
          `The link leads to the owner's first password once the server runs. It is good for an hour and works once; later, set one by \`assay admin users set-password ${owner.email}\`.`,
        );
      io.err("The API key's secret is shown only once. Next: `assay serve`, and `assay doctor` if something is wrong.");
    });
}
