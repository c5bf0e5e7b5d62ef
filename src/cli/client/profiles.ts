import { CommandError, type Io } from "../io.ts";
import { type SignIn, type Stored, serverOf } from "./store.ts";

/**
 * Several servers and accounts side by side. The one in use lies at the top of the settings file, as the only one did
 * before there were several; the others lie in `profiles`, by their names.
 */

/** A sign-in with its name. */
export interface Profile {
  readonly name: string;
  readonly signIn: SignIn;
  readonly inUse: boolean;
}

/** What a sign-in is called that nobody has named: its server's host and port. */
export const nameFor = (baseUrl: string): string => new URL(baseUrl).host;

const nameInUse = (stored: Stored): string => stored.profile ?? nameFor(serverOf(stored));
const isSignedIn = ({ api_key, session }: SignIn): boolean => api_key !== undefined || session !== undefined;

/** The members of the one at the top. */
const topOf = ({ base_url, api_key, api_key_id, session }: Stored): SignIn => ({
  ...(base_url !== undefined && { base_url }),
  ...(api_key !== undefined && { api_key }),
  ...(api_key_id !== undefined && { api_key_id }),
  ...(session !== undefined && { session }),
});

/** All there are, the one in use first. */
export function profilesOf(stored: Stored): readonly Profile[] {
  const top = topOf(stored);
  const isThere = stored.profile !== undefined || isSignedIn(top);
  const others = Object.entries(stored.profiles ?? {}).map(([name, signIn]) => ({ name, signIn, inUse: false }));
  return [...(isThere ? [{ name: nameInUse(stored), signIn: top, inUse: true }] : []), ...others];
}

/** The one of that name. Exit 2, with those there are, for any other. */
export function profileNamed(stored: Stored, name: string): Profile {
  const all = profilesOf(stored);
  const found = all.find((profile) => profile.name === name);
  if (found) return found;
  const known = all.length > 0 ? `There are: ${all.map((profile) => profile.name).join(", ")}` : undefined;
  throw new CommandError(2, `There is no profile "${name}".`, known ?? "Make one with: assay login --profile NAME");
}

/** The one for a server: that in use where it is its own, else the first that is. */
export const profileFor = (stored: Stored, baseUrl: string): Profile | undefined =>
  profilesOf(stored).find(({ signIn }) => serverOf(signIn) === baseUrl);

/** The file without one of them, which leaves the server that was in use. */
export function withoutProfile(stored: Stored, name: string): Stored {
  const { api_key, api_key_id, session, profile, profiles = {}, ...others } = stored;
  if (profilesOf(stored).some(({ inUse, name: top }) => inUse && top === name)) {
    return { ...others, ...(Object.keys(profiles).length > 0 && { profiles }) };
  }
  const { [name]: _gone, ...left } = profiles;
  const { profiles: _all, ...kept } = stored;
  return { ...kept, ...(Object.keys(left).length > 0 && { profiles: left }) };
}

/** The file with one of them changed in its place. */
export function withSignIn(stored: Stored, name: string, signIn: SignIn): Stored {
  if (!Object.hasOwn(stored.profiles ?? {}, name)) {
    const { base_url, api_key, api_key_id, session, ...others } = stored;
    return { ...others, ...signIn };
  }
  return { ...stored, profiles: { ...stored.profiles, [name]: signIn } };
}

/** The file with this one in use; that which was in use is kept beside it. */
export function withInUse(stored: Stored, name: string, signIn: SignIn): Stored {
  const top = profilesOf(stored).find(({ inUse }) => inUse);
  const { base_url, api_key, api_key_id, session, profile, profiles: _all, ...others } = stored;
  const profiles = { ...stored.profiles, ...(top && isSignedIn(top.signIn) && { [top.name]: top.signIn }) };
  delete profiles[name];
  // A name that nobody chose is not written down: it follows from the server.
  const chosen = name === nameFor(serverOf(signIn)) ? {} : { profile: name };
  return { ...others, ...signIn, ...chosen, ...(Object.keys(profiles).length > 0 && { profiles }) };
}

/** The name that a command asks for: --profile, else ASSAY_PROFILE. */
export const wantedProfile = ({ env }: Pick<Io, "env">, given: string | undefined): string | undefined =>
  given ?? (env.ASSAY_PROFILE || undefined);
