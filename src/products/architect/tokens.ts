import type { SolutionTable } from "../../../db/schema/solution-tables.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { type Clock, day, second } from "../../platform/clock.ts";

/** Lifetime of a link to a solution, in milliseconds. */
const lifetime = 7 * day;
const typ = "assay-solution+jwt";

/** What a token opens: a solution and, with a hash, its saved form. */
export interface SolutionToken {
  readonly solution_id: string;
  /** The owner; the solution is looked up only there. */
  readonly firm_id: string;
  /** `null` if issued at intake, before anything was saved. */
  readonly saved_sha256: string | null;
  /** Milliseconds UTC. */
  readonly expires_at: number;
}

export interface SolutionTokens {
  issue(
    solution: Pick<SolutionTable, "id" | "firm_id">,
    saved_sha256: string | null,
  ): { readonly token: string; readonly expires_at: number };
  /** Returns `undefined` if the token is foreign, for another purpose, modified or expired. */
  read(token: string): Promise<SolutionToken | undefined>;
}

/**
 * Creates tokens signed by the installation's keys, so that they survive a restart and are invalid at other
 * installations.
 */
export function createSolutionTokens(keyring: Keyring, clock: Clock, baseUrl: string): SolutionTokens {
  return {
    issue({ id, firm_id }, saved_sha256) {
      const iat = Math.floor(clock.now() / second);
      const exp = iat + lifetime / second;
      const claims = { iss: baseUrl, aud: baseUrl, sub: id, firm: firm_id, saved: saved_sha256, iat, exp };
      return { token: keyring.sign(JSON.stringify(claims), typ), expires_at: exp * second };
    },
    async read(token) {
      const claims = await keyring.verifyToken(token, typ);
      const { sub, exp, firm, saved } = claims ?? {};
      if (typeof firm !== "string") return undefined;
      if (sub === undefined || exp === undefined || (saved !== null && typeof saved !== "string")) return undefined;
      return { solution_id: sub, firm_id: firm, saved_sha256: saved, expires_at: exp * second };
    },
  };
}
