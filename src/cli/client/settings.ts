import { type Command, Option } from "commander";
import { isHttpUrl } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";
import { readStored, type Stored, settingsPath } from "./store.ts";

/** What every command that talks to a server takes. */
export interface ClientOptions {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** Adds the options of every command that talks to a server. */
export const clientOptions = (command: Command): Command =>
  command
    .option("--base-url <url>", "the server; else ASSAY_BASE_URL, else the settings file")
    .option("--json", "print the server's answer as it is");

/** An option whose values are shown and completed, and left to the server to check: a newer one may know more. */
export function suggesting(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description);
  if (choices.length > 0) option.argChoices = [...choices];
  return option;
}

/** A secret, and where it came from: the one thing of it that may be printed. */
export interface Credential {
  readonly secret: string;
  readonly origin: string;
}

export interface Settings {
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  /** What to do where there is no credential, or another one is needed. */
  readonly credentialHint: string;
}

const defaultBaseUrl = "http://127.0.0.1:8787";

/** The server that stored credentials are for. */
export const ownServer = (stored: Stored): string =>
  stored.base_url ? checkedUrl(stored.base_url, "base_url of the settings file") : defaultBaseUrl;

function checkedUrl(url: string, origin: string): string {
  if (isHttpUrl(url)) return url.replace(/\/+$/, "");
  throw new CommandError(2, `${origin} must be an absolute http or https URL.`, `For example ${defaultBaseUrl}`);
}

/** The credential as it can be sent. Nothing of it appears in the error. */
export function checkedCredential(given: string, origin: string): Credential {
  const secret = given.trim();
  if (/^[\x21-\x7e]+$/.test(secret)) return { secret, origin };
  throw new CommandError(3, `${origin} holds no credential: it is empty, or has blanks or other characters inside.`);
}

/**
 * Where the server is and what to show it: flags, then ASSAY_BASE_URL, ASSAY_API_KEY and ASSAY_ACCESS_TOKEN, then the
 * settings file. The file's key goes to the file's server alone, so that no other address in the environment gets it.
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
  const credentialHint = "Sign in with `assay login`, or set ASSAY_API_KEY.";
  if (named && fromEnvironment) return { baseUrl: named, credential: fromEnvironment, credentialHint };

  const stored = await readStored(io);
  const own = ownServer(stored);
  const baseUrl = named || own;
  const key = stored.api_key && baseUrl === own ? checkedCredential(stored.api_key, `${path}`) : undefined;
  return { baseUrl, credential: fromEnvironment || key, credentialHint };
}
