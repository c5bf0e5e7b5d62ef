import type { Reader } from "../../../db/sqlite/verification.ts";
import type { Movement } from "../../../db/sqlite/verification-audit.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { breath, breathe, createFindings, type Findings } from "../../platform/findings.ts";
import { createStatements, type Given, type Moved, movedIn } from "./stated.ts";

/** The credits of one kind moved for one subject at one instant, as stated and as moved so far. */
interface Waiting {
  readonly first: Moved;
  stated: number;
  moved: number;
  /** The transfers that the audit entries name, and those that the ledger has. */
  readonly named: Given[];
  readonly found: Given[];
}

type Problem = (line: string) => void;

const keyOf = ({ kind, subject, firm_id, at }: Moved): string => `${kind} ${subject} ${firm_id} ${at}`;

function nameOf({ kind, subject, firm_id, at }: Moved): string {
  const whose = subject === firm_id ? `firm ${firm_id}` : `run ${subject}`;
  return `the ${kind} of ${whose} at ${rfc3339(at)}`;
}

/** Keeps the sums on which the two sides do not agree yet; there are none while they agree. */
function createSums(problem: Problem) {
  const waiting = new Map<string, Waiting>();

  function of(moved: Moved): Waiting {
    const key = keyOf(moved);
    const known = waiting.get(key) ?? { first: moved, stated: 0, moved: 0, named: [], found: [] };
    waiting.set(key, known);
    return known;
  }

  /** Where entries name their transfers, the ledger must have exactly those, with the same reasons. */
  function compare({ first, named, found }: Waiting): void {
    for (const { id, reason } of named) {
      const own = found.find((given) => given.id === id);
      if (!own)
        problem(`${nameOf(first)}: the audit log names transfer ${id}, which is missing or belongs to something else`);
      else if (own.reason !== reason) problem(`transfer ${id}: its reason differs from the audit log`);
    }
  }

  function meet(sums: Waiting): void {
    if (sums.stated !== sums.moved) return;
    waiting.delete(keyOf(sums.first));
    compare(sums);
  }

  return {
    size: () => waiting.size,
    isOpen: (moved: Moved): boolean => waiting.has(keyOf(moved)),
    state(moved: Moved): void {
      const sums = of(moved);
      sums.stated += moved.credits;
      if (moved.given) sums.named.push(moved.given);
      meet(sums);
    },
    move(moved: Moved): void {
      const sums = of(moved);
      sums.moved += moved.credits;
      if (moved.given) sums.found.push(moved.given);
      meet(sums);
    },
    end(): void {
      for (const { first, stated, moved } of waiting.values())
        problem(`${nameOf(first)}: the audit log says ${stated} credits, the ledger has ${moved}`);
    },
  };
}

/**
 * Number of transfers to read ahead when the two logs disagree. An entry is committed with its transfers, in the same
 * order, so both are read in parallel; after an extra or missing transfer, reading ahead finds where they agree again.
 */
const readAhead = 8;
/** Number of differences at which reading stops: these are not two records of one history. */
const tooMuch = 100_000;
/**
 * Checks that the ledger and the audit log agree: every entry that states credits has its transfers, with the same
 * firm, kind, sum and instant, and every transfer has its entry. Called by `assay verify`.
 */
export async function verifyCharges(reader: Reader, progress?: (done: string) => void): Promise<Findings> {
  const findings = createFindings("charges", progress);
  await reader.atOneInstant(async () => {
    const sums = createSums(findings.problem);
    const statedBy = createStatements();
    const movements = reader.movements();
    const next = (): boolean => {
      const { value, done } = movements.next() as IteratorResult<Movement, undefined>;
      if (!done) {
        findings.count();
        sums.move(movedIn(value));
      }
      return !done;
    };
    let seen = 0;
    for (const entry of reader.auditEntries("")) {
      const stated = statedBy(entry);
      for (const moved of stated) sums.state(moved);
      for (let i = 0; i < readAhead && stated.some(sums.isOpen) && next(); i++);
      if (sums.size() > tooMuch) break;
      if (++seen % breath === 0) await breathe();
    }
    while (sums.size() <= tooMuch && next());
    sums.end();
  });
  return findings.result();
}
