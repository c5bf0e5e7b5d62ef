import { statSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type as T } from "@sinclair/typebox";
import type { Command } from "commander";
import { isHttpUrl, problems } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";

/** What every command that talks to a server takes. */
export interface ClientOptions {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

export const clientOptions = (command: Command): Command =>
  command
    .option("--base-url <url>", "the server; else ASSAY_BASE_URL, else the settings file")
    .option("--json", "print the server's answer as it is");

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

const SettingsFile = T.Object({
  base_url: T.Optional(T.String({ format: "uri" })),
  api_key: T.Optional(T.String({ minLength: 1 })),
});
type SettingsFile = Static<typeof SettingsFile>;

/** `$XDG_CONFIG_HOME/assay/config.json`; the variable counts only with an absolute path (XDG Base Directory 0.8). */
function settingsPath({ XDG_CONFIG_HOME: config = "", HOME: home }: Io["env"]): string | undefined {
  const folder = config.startsWith("/") ? config : home && join(home, ".config");
  return folder ? join(folder, "assay", "config.json") : undefined;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** What went wrong, in the system's words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function readSettingsFile(io: Io, path: string): Promise<SettingsFile> {
  const advice = 'Correct it, or delete it. It looks like {"base_url": "https://…", "api_key": "…"}.';
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      io.err(`Others on this machine may read ${path}. Run: chmod 600 "${path}"`);
    text = await Bun.file(path).text();
  } catch (error) {
    if (isMissing(error)) return {};
    throw new CommandError(1, `${path} can't be read: ${reasonOf(error)}`, advice);
  }
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    throw new CommandError(1, `${path} is not JSON.`, advice);
  }
  const [problem] = problems(SettingsFile, settings, "");
  if (problem) throw new CommandError(1, `${path}: ${problem.path || "the file"} ${problem.message}.`, advice);
  return settings as SettingsFile;
}

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
  const told = options.baseUrl
    ? checkedUrl(options.baseUrl, "--base-url")
    : ASSAY_BASE_URL && checkedUrl(ASSAY_BASE_URL, "ASSAY_BASE_URL");
  const fromEnvironment = ASSAY_API_KEY
    ? checkedCredential(ASSAY_API_KEY, "ASSAY_API_KEY")
    : ASSAY_ACCESS_TOKEN && checkedCredential(ASSAY_ACCESS_TOKEN, "ASSAY_ACCESS_TOKEN");
  const credentialHint = `Set ASSAY_API_KEY${path ? `, or write {"api_key": "…"} to ${path} (mode 0600)` : ""}.`;
  if (told && fromEnvironment) return { baseUrl: told, credential: fromEnvironment, credentialHint };

  const file = path ? await readSettingsFile(io, path) : {};
  const own = file.base_url ? checkedUrl(file.base_url, `${path}: base_url`) : defaultBaseUrl;
  const baseUrl = told || own;
  const stored = file.api_key && baseUrl === own ? checkedCredential(file.api_key, `${path}`) : undefined;
  return { baseUrl, credential: fromEnvironment || stored, credentialHint };
}
