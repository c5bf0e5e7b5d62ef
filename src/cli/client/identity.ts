import { Type as T } from "@sinclair/typebox";
import type { Command } from "commander";
import { Profile, Workspace } from "../../accounts/account/schema.ts";
import { User } from "../../accounts/auth/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, ApiError, apiFor, bodyOf, createApi } from "./http.ts";
import { registerProfiles } from "./profile-commands.ts";
import { facts, instant, printLines } from "./screen.ts";
import { sessionCredential } from "./session.ts";
import { type ClientOptions, type Credential, clientOptions, clientSettings, type Settings } from "./settings.ts";

const Workspaces = T.Array(Workspace, { title: "list of workspaces" });

/** Returns the response body, or `null` if the credential lacks the scope. */
async function ifAllowed(api: Api, path: string): Promise<string | null> {
  try {
    return await api.request("GET", path);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

/** Describes a credential without its secret: a key's public prefix, and its origin. */
const nameOf = ({ secret, origin }: Credential): string =>
  `${secret.startsWith("assay_sk_") ? `${secret.slice(0, 17)}…` : "access token"}, from ${origin}`;

interface Known {
  readonly email: string | null;
  readonly name: string | null;
  readonly workspaces: readonly Workspace[];
}

/** Returns whose a credential is. Keys and access tokens have different routes. */
async function knownBy(api: Api, { secret }: Credential): Promise<Known> {
  if (!secret.startsWith("assay_sk_")) {
    const user = bodyOf(User, await api.request("GET", "/auth/v1/user"));
    const workspaces = bodyOf(Workspaces, await api.request("GET", "/v1/developer/workspaces"));
    return { email: user.email, name: user.full_name, workspaces };
  }
  const [me, workspaces] = [await ifAllowed(api, "/v1/me"), await ifAllowed(api, "/v1/workspaces")];
  const profile = me === null ? null : bodyOf(Profile, me);
  return {
    email: profile?.email ?? null,
    name: profile?.full_name ?? null,
    workspaces: workspaces === null ? [] : bodyOf(Workspaces, workspaces),
  };
}

/** Returns the sign-in's credential; `undefined` if there is none or it has expired, since a key may still work. */
async function signedIn(io: Io, settings: Settings): Promise<Credential | undefined> {
  try {
    return await sessionCredential(io, settings);
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 3) return undefined;
    throw error;
  }
}

async function whoami(io: Io, options: ClientOptions): Promise<void> {
  const settings = await clientSettings(io, options);
  const { baseUrl } = settings;
  const person = await signedIn(io, settings);
  const credential = settings.credential ?? person;
  const api = createApi(io, { ...settings, credential });
  if (!credential) throw new CommandError(3, `You are not signed in to ${baseUrl}.`, settings.credentialHint);
  const { email, name, workspaces } = await knownBy(api, credential);
  const [workspace] = workspaces;
  if (options.json)
    return io.out(
      JSON.stringify({
        base_url: baseUrl,
        email,
        full_name: name,
        workspace: workspace ?? null,
        credential: { origin: credential.origin, kind: credential === person ? "session" : "key" },
        signed_in: person !== undefined,
      }),
    );
  printLines(
    io,
    facts(io, [
      ["server", baseUrl],
      [
        "person",
        email ? [email, name && `(${name})`].filter(Boolean).join(" ") : "hidden from this key (needs profile:read)",
      ],
      ["firm", workspace?.firm.name ?? null],
      ["workspace", workspace?.name ?? null],
      ["role", workspace?.role ?? null],
      ["credential", nameOf(credential)],
      ["approvals", person ? "as the person signed in" : "need a sign-in in the browser: assay login"],
    ]),
  );
}

async function profile(io: Io, options: ClientOptions): Promise<void> {
  const text = await (await apiFor(io, options)).request("GET", "/v1/me");
  if (options.json) return io.out(text);
  const { id, email, full_name, locale, country, created_at } = bodyOf(Profile, text);
  printLines(
    io,
    facts(io, [
      ["id", id],
      ["e-mail", email],
      ["name", full_name],
      ["language", locale],
      ["country", country],
      ["since", `${instant(created_at)} UTC`],
    ]),
  );
}

/** `assay whoami` and `assay profile`. */
export function registerIdentity(program: Command, io: Io): void {
  clientOptions(program.command("whoami").description("Show the server, the person and the credential in use")).action(
    async (_options, command: Command) => whoami(io, command.optsWithGlobals<ClientOptions>()),
  );
  const group = program.command("profile").description("Show your profile, or manage the sign-ins stored here");
  clientOptions(group).action(async (_options, command: Command) =>
    profile(io, command.optsWithGlobals<ClientOptions>()),
  );
  registerProfiles(group, io);
}
