import { isKnownOrigin, rememberOrigins } from "../../../db/queries/known-origins.ts";
import type { Db } from "../../../db/store.ts";
import { day } from "../../platform/clock.ts";
import { sha256Hex } from "../../platform/ids.ts";

/** Where a person signs in from. */
export interface Origin {
  /** The address of the socket; empty if there is none. */
  readonly address: string;
  readonly user_agent: string | null;
  /** The mark that a browser received at an earlier sign-in. */
  readonly browser?: string | undefined;
}

/** How long an address or browser stays known after its last sign-in. */
const rememberedFor = 90 * day;
/** Maximum number of known origins per person; the newest are kept. */
const rememberedAtMost = 20;

/** Stored as hashes that include the person's id, so that the table reveals no addresses. */
const hashOf = (user_id: string, kind: "address" | "browser", value: string): string =>
  sha256Hex(`${user_id}\n${kind} ${value}`);

/**
 * Returns what the person is known by: preferably the browser, since others may share an address; undefined if neither.
 */
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

/** Records where a person has just signed in from. */
export async function remember(tx: Db, user_id: string, { address, browser }: Origin, now: number): Promise<void> {
  const hashes = [
    ...(address === "" ? [] : [hashOf(user_id, "address", address)]),
    ...(browser ? [hashOf(user_id, "browser", browser)] : []),
  ];
  await rememberOrigins(tx, user_id, hashes, now, rememberedAtMost);
}
