import { CommandError, type Io } from "../io.ts";
import { type SignIn, type Stored, serverOf } from "./store.ts";

/**
 * Profiles: sign-ins to several servers and accounts. The one in use is at the top of the settings file, as when there
 * could be only one; the others are in `profiles`, by name.
 */

/** A sign-in with its name. */
export interface Profile {
  readonly name: string;
  readonly signIn: SignIn;
  readonly inUse: boolean;
}

/** Returns the default name of a profile: its server's host and port. */
export const nameFor = (baseUrl: string): string => new URL(baseUrl).host;

const nameInUse = (stored: Stored): string => stored.profile ?? nameFor(serverOf(stored));
const isSignedIn = ({ api_key, session }: SignIn): boolean => api_key !== undefined || session !== undefined;

/** Returns the sign-in at the top of the file. */
const topOf = ({ base_url, api_key, api_key_id, session }: Stored): SignIn => ({
  ...(base_url !== undefined && { base_url }),
  ...(api_key !== undefined && { api_key }),
  ...(api_key_id !== undefined && { api_key_id }),
  ...(session !== undefined && { session }),
});

/** Returns all profiles, the one in use first. */
export function profilesOf(stored: Stored): readonly Profile[] {
  const top = topOf(stored);
  const isThere = stored.profile !== undefined || isSignedIn(top);
  const others = Object.entries(stored.profiles ?? {}).map(([name, signIn]) => ({ name, signIn, inUse: false }));
  return [...(isThere ? [{ name: nameInUse(stored), signIn: top, inUse: true }] : []), ...others];
}

/** Returns the profile with this name. Throws exit 2, listing the profiles, if there is none. */
export function profileNamed(stored: Stored, name: string): Profile {
  const all = profilesOf(stored);
  const found = all.find((profile) => profile.name === name);
  if (found) return found;
  const known = all.length > 0 ? `Known: ${all.map((profile) => profile.name).join(", ")}` : undefined;
  throw new CommandError(2, `There is no profile "${name}".`, known ?? "Create one with: assay login --profile NAME");
}

/** Returns the profile for a server: the one in use if it is for that server, else the first that is. */
export const profileFor = (stored: Stored, baseUrl: string): Profile | undefined =>
  profilesOf(stored).find(({ signIn }) => serverOf(signIn) === baseUrl);

/** Returns the file without a profile. If it was in use, its server stays. */
export function withoutProfile(stored: Stored, name: string): Stored {
  const { api_key, api_key_id, session, profile, profiles = {}, ...others } = stored;
  if (profilesOf(stored).some(({ inUse, name: top }) => inUse && top === name)) {
    return { ...others, ...(Object.keys(profiles).length > 0 && { profiles }) };
  }
  const { [name]: _gone, ...left } = profiles;
  const { profiles: _all, ...kept } = stored;
  return { ...kept, ...(Object.keys(left).length > 0 && { profiles: left }) };
}

/** Returns the file with a profile's sign-in changed. */
export function withSignIn(stored: Stored, name: string, signIn: SignIn): Stored {
  if (!Object.hasOwn(stored.profiles ?? {}, name)) {
    const { base_url, api_key, api_key_id, session, ...others } = stored;
    return { ...others, ...signIn };
  }
  return { ...stored, profiles: { ...stored.profiles, [name]: signIn } };
}

/** Returns the file with this profile in use; the one used before is kept in `profiles`. */
export function withInUse(stored: Stored, name: string, signIn: SignIn): Stored {
  const top = profilesOf(stored).find(({ inUse }) => inUse);
  const { base_url, api_key, api_key_id, session, profile, profiles: _all, ...others } = stored;
  const profiles = { ...stored.profiles, ...(top && isSignedIn(top.signIn) && { [top.name]: top.signIn }) };
  delete profiles[name];
  // A default name is not stored, since it follows from the server.
  const chosen = name === nameFor(serverOf(signIn)) ? {} : { profile: name };
  return { ...others, ...signIn, ...chosen, ...(Object.keys(profiles).length > 0 && { profiles }) };
}

/** Returns the profile asked for: --profile, else ASSAY_PROFILE. */
export const wantedProfile = ({ env }: Pick<Io, "env">, given: string | undefined): string | undefined =>
  given ?? (env.ASSAY_PROFILE || undefined);
