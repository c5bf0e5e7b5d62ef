import { hostname } from "node:os";
import { Type as T } from "@sinclair/typebox";
import type { Command } from "commander";
import { Workspace } from "../../accounts/account/schema.ts";
import { CreatedApiKey, DeveloperScope } from "../../accounts/developer/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, ApiError, bodyOf, createApi } from "./http.ts";
import { signInByBrowser } from "./loopback.ts";
import {
  nameFor,
  type Profile,
  profileNamed,
  profilesOf,
  wantedProfile,
  withInUse,
  withoutProfile,
} from "./profiles.ts";
import { harmless } from "./screen.ts";
import { sessionCredential } from "./session.ts";
import { type ClientOptions, checkedCredential, clientOptions, clientSettings } from "./settings.ts";
import { changeStored, readStored, type SignIn, type StoredSession, serverOf, settingsPath } from "./store.ts";
import { send } from "./transport.ts";

const workspacesPath = "/v1/developer/workspaces";
const scopesPath = "/v1/developer/scopes";
const keysPath = "/v1/developer/api-keys";
const keyNameLimit = 80;

const Workspaces = T.Array(Workspace, { title: "list of workspaces" });
const Scopes = T.Array(DeveloperScope, { title: "list of scopes" });

/** Creates an API client with a person's access token. */
const apiWith = (io: Io, baseUrl: string, secret: string): Api =>
  createApi(io, {
    baseUrl,
    credential: { secret, origin: "the sign-in" },
    credentialHint: "Sign in with: assay login",
  });

/** Returns the workspace with this id, slug or name, or the first one if none is given. */
async function workspaceOf(api: Api, wanted: string | undefined): Promise<Workspace> {
  const workspaces = bodyOf(Workspaces, await api.request("GET", workspacesPath));
  const found = wanted
    ? workspaces.find(({ id, slug, name }) => [id, slug, name].includes(wanted))
    : workspaces.find(() => true);
  if (found) return found;
  const known = workspaces.map(({ slug }) => slug).join(", ");
  throw new CommandError(
    1,
    wanted ? `There is no workspace "${wanted}".` : "The firm has no workspace.",
    known && `Known: ${known}`,
  );
}

/** Creates the key that the command line uses, with all scopes that the person may grant, in one workspace. */
async function makeKey(api: Api, workspace: Workspace) {
  const scopes = bodyOf(Scopes, await api.request("GET", scopesPath));
  const body = {
    name: `assay CLI on ${hostname()}`.slice(0, keyNameLimit),
    scopes: scopes.filter(({ grantable }) => grantable).map(({ name }) => name),
    workspace_id: workspace.id,
  };
  return bodyOf(CreatedApiKey, await api.request("POST", keysPath, { body }));
}

const endSession = (io: Io, baseUrl: string, { refresh_token }: StoredSession) =>
  send(io, `${baseUrl}/auth/v1/logout`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ refresh_token }),
  });

/** Revokes a sign-in's key, then its session. Returns a sentence for each that could not be revoked. */
export async function revoke(io: Io, { name, signIn }: Profile): Promise<string[]> {
  const { api_key_id: key, session } = signIn;
  const baseUrl = serverOf(signIn);
  const left: string[] = [];
  if (key)
    try {
      const person = await sessionCredential(io, { baseUrl, profile: name });
      if (!person) throw new CommandError(3, "The sign-in has ended.");
      await apiWith(io, baseUrl, person.secret).request("DELETE", `${keysPath}/${key}`);
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404;
      if (!(error instanceof CommandError)) throw error;
      if (!isGone) left.push(`The API key ${key} still works: ${error.message} Revoke it at ${baseUrl}/account`);
    }
  // The session may have been renewed since.
  const now = profilesOf(await readStored({ ...io, err: () => {} })).find((profile) => profile.name === name);
  const last = now?.signIn.session ?? session;
  if (last)
    try {
      await endSession(io, baseUrl, last);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      left.push(`The session was not ended: ${error.message}`);
    }
  return left;
}

interface LoginOptions extends ClientOptions {
  readonly browser: boolean;
  readonly apiKey?: boolean;
  readonly workspace?: string;
  readonly timeout: string;
}

/**
 * Stores a new sign-in and makes it the one in use. The profile's previous credentials are revoked, as they are no
 * longer stored; other profiles are unchanged.
 */
async function keep(io: Io, baseUrl: string, signIn: SignIn, wanted: string | undefined): Promise<void> {
  const name = wanted ?? nameFor(baseUrl);
  const all = profilesOf(await readStored({ ...io, err: () => {} }));
  const before = all.find((profile) => profile.name === name);
  const left = before ? await revoke(io, before) : [];
  await changeStored(io, async (now) => withInUse(now, name, { base_url: baseUrl, ...signIn }));
  for (const sentence of left) io.err(sentence);
  const kept = all.filter((profile) => profile.name !== name).map((profile) => profile.name);
  if (kept.length > 0)
    io.err(`This is the profile ${name}. Other profiles: ${kept.join(", ")} (assay profile use NAME)`);
  const winner = ["ASSAY_API_KEY", "ASSAY_ACCESS_TOKEN"].find((variable) => io.env[variable]);
  if (winner) io.err(`${winner} is set and overrides this sign-in. Unset it to use the sign-in.`);
}

async function loginWithKey(io: Io, baseUrl: string, { profile }: LoginOptions): Promise<string> {
  const given = io.ask ? await io.ask("API key (not shown): ", "hidden") : await io.stdin();
  const { secret } = checkedCredential(given, "stdin");
  if (!secret.startsWith("assay_sk_"))
    throw new CommandError(3, "That is not an API key: keys begin with assay_sk_.", `Create one at ${baseUrl}/account`);
  const api = createApi(io, {
    baseUrl,
    credential: { secret, origin: "stdin" },
    credentialHint: `Create a key at ${baseUrl}/account`,
  });
  try {
    await api.request("GET", "/v1/me");
  } catch (error) {
    // A key without profile:read is valid too: only an unknown one gets a 401.
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
  }
  await keep(io, baseUrl, { api_key: secret }, profile);
  return `Signed in to ${baseUrl} with the key ${secret.slice(0, 17)}…`;
}

async function loginWithBrowser(io: Io, baseUrl: string, options: LoginOptions): Promise<string> {
  const session = await signInByBrowser(io, baseUrl, {
    browser: options.browser,
    timeoutSeconds: Number(options.timeout),
  });
  const api = apiWith(io, baseUrl, session.access_token);
  try {
    const workspace = await workspaceOf(api, options.workspace);
    const key = await makeKey(api, workspace);
    await keep(io, baseUrl, { api_key: key.secret, api_key_id: key.id, session }, options.profile);
    return `Signed in to ${baseUrl}: ${workspace.firm.name}, workspace ${workspace.name}, as ${workspace.role}`;
  } catch (error) {
    // The session would not be stored anywhere. The first error matters more than whether ending it works.
    await endSession(io, baseUrl, session).catch(() => {});
    throw error;
  }
}

async function login(io: Io, options: LoginOptions, words: readonly string[]): Promise<void> {
  if (words.length > 0)
    throw new CommandError(
      2,
      "Other users can see a key on the command line.",
      "Give it on stdin: assay login --api-key < key-file",
    );
  if (!/^[1-9]\d{0,3}$/.test(options.timeout)) throw new CommandError(2, "--timeout takes 1 to 9999 seconds.");
  if (options.apiKey && options.workspace)
    throw new CommandError(2, "--workspace is for the browser sign-in: a key already has its workspace.");
  // Report a folder that can't be written before the sign-in.
  await changeStored(io, async (now) => now);
  const baseUrl = await serverToSignInTo(io, options);
  const message = options.apiKey
    ? await loginWithKey(io, baseUrl, options)
    : await loginWithBrowser(io, baseUrl, options);
  if (options.json) return io.out(JSON.stringify({ base_url: baseUrl, settings: settingsPath(io.env) }));
  io.err(harmless(message));
  io.err("Check with: assay whoami");
}

/** Returns the server given, else that of the profile, which may be new. */
async function serverToSignInTo(io: Io, { profile, ...options }: LoginOptions): Promise<string> {
  const known = profilesOf(await readStored({ ...io, err: () => {} })).find(({ name }) => name === profile);
  if (known && !options.baseUrl && !io.env.ASSAY_BASE_URL) return serverOf(known.signIn);
  const { ASSAY_PROFILE: _, ...env } = io.env;
  return (await clientSettings({ ...io, env }, options)).baseUrl;
}

async function logout(io: Io, given: string | undefined): Promise<void> {
  const stored = await readStored(io);
  const name = wantedProfile(io, given);
  const profile = name === undefined ? profilesOf(stored).find(({ inUse }) => inUse) : profileNamed(stored, name);
  if (!profile || !(profile.signIn.api_key || profile.signIn.session)) return io.err("You are not signed in.");
  await signOut(io, profile);
  io.err(`Signed out of ${serverOf(profile.signIn)}.${stillValid(profile)}`);
  const others = profilesOf(stored).filter((other) => other.name !== profile.name);
  if (others.length > 0)
    io.err(`Other profiles: ${others.map((other) => other.name).join(", ")} (assay profile use NAME)`);
}

/** Returns the warning for a key that the person gave to `assay login --api-key`, which is not revoked. */
export function stillValid({ signIn }: Profile): string {
  const { api_key, api_key_id } = signIn;
  return api_key && !api_key_id
    ? ` The API key that you gave still works. Revoke it at ${serverOf(signIn)}/account`
    : "";
}

/** Revokes what a browser sign-in created, and deletes the profile. Throws exit 1 if the server could not be reached. */
export async function signOut(io: Io, profile: Profile): Promise<void> {
  const left = await revoke(io, profile);
  await changeStored(io, async (now) => withoutProfile(now, profile.name));
  if (left.length > 0)
    throw new CommandError(1, `Signed out on this machine only. ${harmless(left.join("\n"))}`, undefined);
}

/** `assay login` and `assay logout`. */
export function registerSignIn(program: Command, io: Io): void {
  clientOptions(program.command("login").description("Sign in with the browser or with an API key"))
    .allowExcessArguments()
    .option("--api-key", "read an API key from stdin instead; never pass it as an argument")
    .option("--no-browser", "print the address instead of opening it")
    .option("--workspace <workspace>", "id, slug or name (default: the firm's first)")
    .option("--timeout <seconds>", "how long to wait for the browser", "300")
    .action(async (_options, command: Command) => login(io, command.optsWithGlobals<LoginOptions>(), command.args));
  program
    .command("logout")
    .description("Revoke what `assay login` created, and delete the sign-in")
    .option("--profile <name>", "the sign-in to delete (default: the one in use)")
    .action(({ profile }: { readonly profile?: string }) => logout(io, profile));
}
