import type { Meaning, ReadFor, Reading } from "../../contracts/meaning.ts";
import type { AssessedClaim, Assessment } from "./assess.ts";

/** Maximum number of claims read per answer, at about a tenth of a second each: the first that are not quotations. */
const mostRead = 24;

/** Checks whether a claim should be read: not if it is a quotation or if no source has a word of it. */
export const isOpen = ({ quoted, toRead }: AssessedClaim): boolean => !quoted && toRead !== null;

/** The readings of an answer's claims, in order; null for a claim that was not, or could not be, read. */
export type Readings = readonly (Reading | null)[];

/** Reads the claims that are not quotations. `advanced` reports progress. */
export async function readClaims(
  { claims }: Assessment,
  meaning: Pick<Meaning, "isBuiltIn" | "read">,
  asked: ReadFor,
  advanced: (completed: number, total: number) => void = () => {},
): Promise<Readings> {
  if (!meaning.isBuiltIn) return claims.map(() => null);
  const open = new Set(claims.filter(isOpen).slice(0, mostRead));
  let completed = 0;
  return Promise.all(
    claims.map(async (claim) => {
      if (!open.has(claim) || claim.toRead === null) return null;
      const reading = await meaning.read(claim.toRead.text, claim.toRead.passage, asked);
      completed += 1;
      advanced(completed, open.size);
      return reading;
    }),
  );
}
