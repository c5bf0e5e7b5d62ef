import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Static, Type as T } from "@sinclair/typebox";
import { makeFolderDurably, writeDurably } from "../../platform/files.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { isHttpUrl, problems } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";

/** The client's settings file: the server, and the credentials from `assay login`. */

export const StoredSession = T.Object({
  access_token: T.String({ minLength: 1 }),
  refresh_token: T.String({ minLength: 1 }),
  /** Unix seconds. */
  expires_at: T.Integer(),
});
export type StoredSession = Static<typeof StoredSession>;

const signInMembers = {
  base_url: T.Optional(T.String({ format: "uri" })),
  api_key: T.Optional(T.String({ minLength: 1 })),
  /** Set for a key that `assay login` created, which `assay logout` revokes. */
  api_key_id: T.Optional(T.String({ format: "uuid" })),
  session: T.Optional(StoredSession),
};
const SignIn = T.Object(signInMembers);
/** The credentials from `assay login` at one server. */
export type SignIn = Static<typeof SignIn>;

/** The settings file. See `profiles.ts` for which profile is where. */
const Stored = T.Object({
  ...signInMembers,
  profile: T.Optional(T.String({ minLength: 1 })),
  profiles: T.Optional(T.Record(T.String(), SignIn)),
});
export type Stored = Static<typeof Stored>;

const defaultBaseUrl = "http://127.0.0.1:8787";

/** Returns a URL without a trailing slash. Throws exit 2 if it is not an http or https URL. */
export function checkedUrl(url: string, origin: string): string {
  if (isHttpUrl(url)) return url.replace(/\/+$/, "");
  throw new CommandError(2, `${origin} must be an absolute http or https URL.`, `For example ${defaultBaseUrl}`);
}

/** Returns the server of a sign-in. */
export const serverOf = ({ base_url }: Pick<SignIn, "base_url">): string =>
  base_url ? checkedUrl(base_url, "base_url in the settings file") : defaultBaseUrl;

/** Returns the home folder, if there is one. */
export const homeOf = ({ HOME, USERPROFILE }: Io["env"]): string | undefined => HOME || USERPROFILE || undefined;

/** Returns `$XDG_CONFIG_HOME/assay/config.json`. Ignores a relative XDG_CONFIG_HOME (XDG Base Directory 0.8). */
export function settingsPath(env: Io["env"]): string | undefined {
  const { XDG_CONFIG_HOME: config = "" } = env;
  const home = homeOf(env);
  const folder = isAbsolute(config) ? config : home && join(home, ".config");
  return folder ? join(folder, "assay", "config.json") : undefined;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(String(codeOf(error)));

/** Returns the error's own message. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const advice =
  'Correct it, or delete it and run `assay login`. It should look like {"base_url": "https://…", "api_key": "…"}.';

function parsed(path: string, text: string): Stored {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    throw new CommandError(1, `${path} is not JSON.`, advice);
  }
  const [problem] = problems(Stored, stored, "");
  if (problem) throw new CommandError(1, `${path}: ${problem.path || "the file"} ${problem.message}.`, advice);
  return stored as Stored;
}

/** Returns what is stored, if anything. Throws exit 1 for an unreadable file, without quoting its contents. */
export async function readStored(io: Io): Promise<Stored> {
  const path = settingsPath(io.env);
  if (!path) return {};
  let text: string;
  try {
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      io.err(`Other users of this machine can read ${path}. Run: chmod 600 "${path}"`);
    text = await Bun.file(path).text();
  } catch (error) {
    if (isMissing(error)) return {};
    throw new CommandError(1, `${path} can't be read: ${reasonOf(error)}`, advice);
  }
  return parsed(path, text);
}

/** Nothing can be stored. Commands that don't depend on it continue. */
export class Unwritable extends CommandError {}

const unwritable = (path: string, error: unknown): Unwritable =>
  new Unwritable(
    1,
    `${dirname(path)} can't be written: ${reasonOf(error)}`,
    "Set XDG_CONFIG_HOME to a writable folder, or set ASSAY_BASE_URL and ASSAY_API_KEY instead.",
  );

const lockPollMs = 50;
/** Milliseconds after which a lock is considered abandoned. No holder keeps it for longer than a request. */
const lockLastsMs = 90_000;

/** Returns whether the process that took the lock has ended without releasing it. */
function isAbandoned(runtime: Runtime, lock: string): boolean {
  try {
    if (runtime.now() - statSync(lock).mtimeMs > lockLastsMs) return true;
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** Takes the lock. Returns false if another process holds it. */
function took(lock: string, path: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw unwritable(path, error);
    return false;
  }
}

async function locked<T>(runtime: Runtime, path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  try {
    await makeFolderDurably(dirname(path), 0o700);
  } catch (error) {
    // If a file is in the folder's place, taking the lock would fail with EEXIST for ever, as if it were held.
    throw unwritable(path, error);
  }
  while (!took(lock, path))
    if (isAbandoned(runtime, lock)) rmSync(lock, { force: true });
    else await runtime.sleep(lockPollMs);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Changes what is stored, one process at a time. `change` gets the current contents. Throws `Unwritable` before calling
 * it if nothing can be stored. Members written by another version are kept.
 */
export async function changeStored(io: Io, change: (now: Stored) => Promise<Stored>): Promise<Stored> {
  const path = settingsPath(io.env);
  if (!path)
    throw new Unwritable(
      1,
      "There is no folder for the settings.",
      "Set HOME or XDG_CONFIG_HOME, or set ASSAY_BASE_URL and ASSAY_API_KEY instead.",
    );
  return locked(io.runtime, path, async () => {
    const now = await readStored({ ...io, err: () => {} });
    const next = await change(now);
    if (next === now) return now;
    try {
      await writeDurably(path, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      throw unwritable(path, error);
    }
    return next;
  });
}
