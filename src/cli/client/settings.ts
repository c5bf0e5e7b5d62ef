import { type Command, Option } from "commander";
import { CommandError, type Io } from "../io.ts";
import { profileFor, profileNamed, wantedProfile } from "./profiles.ts";
import { checkedUrl, readStored, serverOf, settingsPath } from "./store.ts";

/** Options of every command that talks to a server. */
export interface ClientOptions {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** Help text of `--base-url`. The server's own settings are in `assay.toml`. */
export const serverHelp = "the server's address (default: ASSAY_BASE_URL, else that of `assay login`)";

/** Adds the options of every command that talks to a server. `json` is the help text of `--json`. */
export const clientOptions = (command: Command, json = "print the server's answer unchanged"): Command =>
  command
    .option("--base-url <url>", serverHelp)
    .option("--profile <name>", "the sign-in to use (default: ASSAY_PROFILE, else that of `assay profile use`)")
    .option("--json", json);

/** Returns the option of an API's member: `--pricing-model` for `pricing_model`. */
export const flagOf = (member: string): string => `--${member.replaceAll("_", "-")}`;
/** Returns the key of that option among the parsed ones: `pricingModel`. */
export const optionOf = (member: string): string =>
  member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns an option whose values are listed and completed but not checked, since a newer server may know more. */
export function suggesting(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description);
  if (choices.length > 0) option.argChoices = [...choices];
  return option;
}

/** A secret and its origin, the only part that may be printed. */
export interface Credential {
  readonly secret: string;
  readonly origin: string;
}

export interface Settings {
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  /** The profile with the server's session; `undefined` if there is none. */
  readonly profile?: string | undefined;
  /** What to do if there is no credential, or another one is needed. */
  readonly credentialHint: string;
}

/** Returns the credential, trimmed. Throws exit 3 if it can't be sent; the error contains nothing of it. */
export function checkedCredential(given: string, origin: string): Credential {
  const secret = given.trim();
  if (/^[\x21-\x7e]+$/.test(secret)) return { secret, origin };
  throw new CommandError(
    3,
    `${origin} contains no credential: it is empty, or has blanks or other invalid characters.`,
  );
}

/**
 * Returns the server's address and the credential: from flags, then ASSAY_BASE_URL, ASSAY_API_KEY and
 * ASSAY_ACCESS_TOKEN, then the settings file, where a named profile precedes the one in use, and that one any other for
 * the server. A stored key is sent only to its own server, never to another address from the environment.
 */
export async function clientSettings(io: Io, options: ClientOptions): Promise<Settings> {
  const { ASSAY_BASE_URL, ASSAY_API_KEY, ASSAY_ACCESS_TOKEN } = io.env;
  const path = settingsPath(io.env);
  const named = options.baseUrl
    ? checkedUrl(options.baseUrl, "--base-url")
    : ASSAY_BASE_URL && checkedUrl(ASSAY_BASE_URL, "ASSAY_BASE_URL");
  const fromEnvironment = ASSAY_API_KEY
    ? checkedCredential(ASSAY_API_KEY, "ASSAY_API_KEY")
    : ASSAY_ACCESS_TOKEN && checkedCredential(ASSAY_ACCESS_TOKEN, "ASSAY_ACCESS_TOKEN");
  // A variable overrides a sign-in, so that signing in is no remedy for a wrong one.
  const credentialHint = fromEnvironment
    ? "Correct it, or unset it and sign in with `assay login`."
    : "Sign in with `assay login`, or set ASSAY_API_KEY.";
  const wanted = wantedProfile(io, options.profile);
  if (named && fromEnvironment && wanted === undefined)
    return { baseUrl: named, credential: fromEnvironment, credentialHint };

  const stored = await readStored(io);
  const chosen = wanted === undefined ? undefined : profileNamed(stored, wanted);
  const baseUrl = named || serverOf(chosen?.signIn ?? stored);
  const profile = chosen ?? profileFor(stored, baseUrl);
  const { name, signIn: { api_key } = {} } = profile && serverOf(profile.signIn) === baseUrl ? profile : {};
  const key = api_key ? checkedCredential(api_key, `${path}`) : undefined;
  return { baseUrl, credential: fromEnvironment || key, credentialHint, profile: name };
}
