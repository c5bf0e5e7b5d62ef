import { hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { type Clock, minute, second } from "../../platform/clock.ts";

/** How long a consent page stays valid. */
const lifetime = 30 * minute;

/** The data in the consent page's form: which request, shown to whom, for which firm. */
export interface Ticket {
  /** The authorization request's query, unchanged. */
  readonly query: string;
  readonly user_id: string;
  readonly firm_id: string;
  /** The session that it was shown in. A form without origin headers is authenticated by this alone. */
  readonly session_id: string;
}

export interface Tickets {
  issue(ticket: Ticket): Promise<string>;
  /** Returns undefined if the ticket is foreign, modified or expired. */
  read(given: string): Promise<Ticket | undefined>;
}

const purpose = "assay consent";
const typ = "assay-consent+jwt";
const algorithm = "HS256";

/**
 * Creates the signer of what was shown, so that a decision applies to exactly that, and only for the person it was
 * shown to; another site's page has no ticket. The key is derived from the master key.
 */
export function createTickets(masterKey: Uint8Array, clock: Clock): Tickets {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", purpose, 32));
  return {
    issue: ({ query, user_id, firm_id, session_id }) =>
      new SignJWT({ query, firm_id, session_id })
        .setProtectedHeader({ alg: algorithm, typ })
        .setSubject(user_id)
        .setExpirationTime(Math.floor((clock.now() + lifetime) / second))
        .sign(key),
    async read(given) {
      try {
        const wanted = { algorithms: [algorithm], typ, currentDate: new Date(clock.now()) };
        const { query, sub, firm_id, session_id } = (await jwtVerify(given, key, wanted)).payload;
        if (typeof query !== "string" || sub === undefined) return undefined;
        if (typeof firm_id !== "string" || typeof session_id !== "string") return undefined;
        return { query, user_id: sub, firm_id, session_id };
      } catch {
        return undefined;
      }
    },
  };
}
