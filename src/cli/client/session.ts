import { checker } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";
import { profileNamed, profilesOf, withSignIn } from "./profiles.ts";
import type { Credential, Settings } from "./settings.ts";
import { changeStored, readStored, StoredSession, serverOf, settingsPath, Unwritable } from "./store.ts";
import { send } from "./transport.ts";

/** Seconds before its expiry at which a token is renewed, since it must outlast the request. */
const margin = 60;

const isFresh = ({ runtime }: Io, { expires_at }: StoredSession): boolean => expires_at - margin > runtime.now() / 1000;

const ended = (): CommandError => new CommandError(3, "The sign-in has ended.", "Sign in again with: assay login");

/** Returns the part of a session response that is stored; `undefined` if it is not a session. */
export function sessionOf(text: string): StoredSession | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (!checker(StoredSession).Check(answer)) return undefined;
    const { access_token, refresh_token, expires_at } = answer as StoredSession;
    return { access_token, refresh_token, expires_at };
  } catch {
    return undefined;
  }
}

/** Exchanges a refresh token. Returns `undefined` if the session has ended. */
async function refreshed(
  io: Io,
  baseUrl: string,
  { refresh_token }: StoredSession,
): Promise<StoredSession | undefined> {
  const [response, text] = await send(io, `${baseUrl}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ refresh_token }),
  });
  if (response.status === 401) return undefined;
  const session = response.ok ? sessionOf(text) : undefined;
  if (session) return session;
  throw new CommandError(
    1,
    `The sign-in could not be renewed: the server answered ${response.status}.`,
    "Try again later.",
  );
}

/** Renews the stored session, one process at a time. If it can't be stored, it serves only this command. */
async function renew(io: Io, name: string, baseUrl: string, known: StoredSession): Promise<StoredSession> {
  try {
    const changed = await changeStored(io, async (now) => {
      const { session: stored, ...others } = profileNamed(now, name).signIn;
      if (!stored || isFresh(io, stored)) return now;
      const next = await refreshed(io, baseUrl, stored);
      return withSignIn(now, name, next ? { ...others, session: next } : others);
    });
    const { session } = profilesOf(changed).find((profile) => profile.name === name)?.signIn ?? {};
    if (session) return session;
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    // The server accepts an old refresh token until its successor is used, and this successor is not stored anywhere.
    const session = await refreshed(io, baseUrl, known);
    if (session) return session;
  }
  throw ended();
}

/**
 * Returns the access token of the `assay login` session at this server, renewed if it is about to expire; `undefined`
 * if there is none. Throws exit 3 if the session has ended.
 */
export async function sessionCredential(
  io: Io,
  { baseUrl, profile: wanted }: Pick<Settings, "baseUrl" | "profile">,
): Promise<Credential | undefined> {
  const all = profilesOf(await readStored({ ...io, err: () => {} }));
  const profile = all.find(({ name, signIn }) => name === wanted && serverOf(signIn) === baseUrl);
  const known = profile?.signIn.session;
  if (!profile || !known) return undefined;
  const session = isFresh(io, known) ? known : await renew(io, profile.name, baseUrl, known);
  return { secret: session.access_token, origin: `the sign-in in ${settingsPath(io.env)}` };
}
