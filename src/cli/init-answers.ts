import { mostCredits } from "../accounts/admin/credits.ts";
import { checkedEmail } from "../accounts/admin/users.ts";
import { Failure, invalid } from "../platform/errors.ts";
import { checkedName, optionalName } from "../platform/names.ts";
import { capabilities } from "../products/capabilities/index.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { platformGate } from "../registry/registry.ts";
import { CommandError, type Io } from "./io.ts";
import { chosenPassword } from "./password-prompt.ts";

/** The flags of `assay init`, unparsed. */
export interface InitFlags {
  readonly email?: string;
  readonly name?: string;
  readonly firm?: string;
  readonly workspace: string;
  readonly credits: string;
  readonly gates: string;
  readonly json?: boolean;
}

/** What `assay init` creates. */
export interface Answers {
  readonly email: string;
  readonly name: string | null;
  readonly firm: string;
  readonly workspace: string;
  readonly credits: number;
  readonly gates: readonly string[];
  /** Absent if the owner is to choose one through a link. */
  readonly password?: string | undefined;
}

/** All gates. */
const known = [platformGate, ...capabilities.map(({ slug }) => slug), ...useCases.map(({ slug }) => slug)];
/** Gates of use cases that await commercial validation. `all` leaves them closed. */
const unvalidated = useCases.filter(({ status }) => status === "validation_required").map(({ slug }) => slug);
const openable = known.filter((name) => !unvalidated.includes(name));

/** Describes the value of `--gates`. */
export const gatesHelp = `gates to open: all (but ${unvalidated.join(", ")}), none, or comma-separated names`;

/** Returns the gates that `all` left closed; none for any other list of opened gates. */
export const leftByAll = (opened: readonly string[]): readonly string[] =>
  openable.every((name) => opened.includes(name)) ? unvalidated.filter((name) => !opened.includes(name)) : [];

/** Parses `all`, `none` or a comma-separated list of gates. */
function gateNames(text: string): readonly string[] {
  if (text === "all") return openable;
  if (text === "none" || text.trim() === "") return [];
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw invalid("/gates", `must be all, none, or some of ${known.join(", ")}: there is no gate ${unknown}`);
}

function startingCredits(text: string): number {
  const credits = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (credits <= mostCredits) return credits;
  throw invalid("/credits", `must be a whole number from 0 to ${mostCredits}`);
}

/** Parsers of the answers. They throw `validation_error`, so that an invalid answer is refused at once. */
const readers = {
  email: (text: string) => checkedEmail(text, "/email"),
  name: (text: string) => optionalName(text, "/name", 120),
  firm: (text: string) => checkedName(text, "/firm", 120),
  workspace: (text: string) => checkedName(text, "/workspace", 120),
  credits: startingCredits,
  gates: gateNames,
};

type Prompt = NonNullable<Io["ask"]>;

/** Returns a function that asks until the answer is valid. An empty answer takes the default. */
function asking({ err }: Io, prompt: Prompt) {
  return async <T>(text: string, usual: string, read: (answer: string) => T): Promise<T> => {
    for (;;) {
      const answer = (await prompt(usual === "" ? `${text}: ` : `${text} [${usual}]: `)).trim();
      try {
        return read(answer === "" ? usual : answer);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        for (const { message } of error.details) err(`It ${message}.`);
      }
    }
  };
}

/** Parses the flags. Throws `validation_error` before anything is asked or created. */
function givenBy({ email, name, firm, workspace, credits, gates }: InitFlags) {
  return {
    ...(email !== undefined && { email: readers.email(email) }),
    ...(name !== undefined && { name: readers.name(name) }),
    ...(firm !== undefined && { firm: readers.firm(firm) }),
    workspace: readers.workspace(workspace),
    credits: readers.credits(credits),
    gates: readers.gates(gates),
  };
}

/** Returns the answers. A terminal is asked for what flags do not give, and always for the owner's password. */
export async function answersOf(flags: InitFlags, io: Io): Promise<Answers> {
  const { email, name = null, firm, ...rest } = givenBy(flags);
  const prompt = flags.json ? undefined : io.ask;
  const given = email === undefined || firm === undefined ? undefined : { email, name, firm, ...rest };
  if (given && !prompt) return given;
  if (!prompt)
    throw new CommandError(2, "--email and --firm are required without a terminal", "See `assay help init`.");
  if (!given)
    io.err("Answer a few questions to set up this installation. You can change everything later with `assay admin`.");
  const ask = asking(io, prompt);
  const answers = given ?? {
    email: email ?? (await ask("Your e-mail address", "", readers.email)),
    name: flags.name === undefined ? await ask("Your name (optional)", "", readers.name) : name,
    firm: firm ?? (await ask("Your firm's name", "", readers.firm)),
    workspace: await ask("Its first workspace", flags.workspace, readers.workspace),
    credits: await ask("Starting credits", flags.credits, readers.credits),
    gates: await ask("Gates to open (all, none, or comma-separated names)", flags.gates, readers.gates),
  };
  const password = await chosenPassword(io, prompt, "Your password (leave empty to get a link for choosing one): ");
  return { ...answers, password: password === "" ? undefined : password };
}
