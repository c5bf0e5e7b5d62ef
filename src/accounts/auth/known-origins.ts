import { isKnownOrigin, rememberOrigins } from "../../../db/queries/known-origins.ts";
import type { Db } from "../../../db/store.ts";
import { day } from "../../platform/clock.ts";
import { sha256Hex } from "../../platform/ids.ts";

/** Where a person signs in from. */
export interface Origin {
  /** The address of the socket; empty where there is none. */
  readonly address: string;
  readonly user_agent: string | null;
  /** The mark that a browser got at an earlier sign-in. */
  readonly browser?: string | undefined;
}

/** An address or browser that was not seen for so long is a stranger's again. */
const rememberedFor = 90 * day;
/** So many of a person's are remembered: the newest. */
const rememberedAtMost = 20;

/** Kept as hashes with the person's id in them: the table tells nobody's addresses. */
const hashOf = (user_id: string, kind: "address" | "browser", value: string): string =>
  sha256Hex(`${user_id}\n${kind} ${value}`);

/** What the person is known by: a browser says more than an address, which others may share. Undefined: by neither. */
export async function knownBy(
  db: Db,
  user_id: string,
  { address, browser }: Origin,
  now: number,
): Promise<"browser" | "address" | undefined> {
  const since = now - rememberedFor;
  if (browser && (await isKnownOrigin(db, user_id, hashOf(user_id, "browser", browser), since))) return "browser";
  const known = address !== "" && (await isKnownOrigin(db, user_id, hashOf(user_id, "address", address), since));
  return known ? "address" : undefined;
}

/** Remembers where a person has just signed in from. */
export async function remember(tx: Db, user_id: string, { address, browser }: Origin, now: number): Promise<void> {
  const hashes = [
    ...(address === "" ? [] : [hashOf(user_id, "address", address)]),
    ...(browser ? [hashOf(user_id, "browser", browser)] : []),
  ];
  await rememberOrigins(tx, user_id, hashes, now, rememberedAtMost);
}
