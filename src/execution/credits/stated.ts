import type { TransferKind } from "../../../db/schema/tables.ts";
import type { Movement, StatedEntry } from "../../../db/sqlite/verification-audit.ts";

/** A transfer made by an administrator, as an audit entry names it and as the ledger has it. */
export interface Given {
  readonly id: string;
  readonly reason: string | null;
}

/** Credits that one side says were moved: their kind, subject and instant. */
export interface Moved {
  readonly kind: TransferKind;
  /** The run's id, or the firm's id if no run moved them. */
  readonly subject: string;
  readonly firm_id: string;
  readonly at: number;
  /** Whole credits; negative if an adjustment deducted them. */
  readonly credits: number;
  /** Absent if a run moved them, or if the entry was written by an earlier release, which named no transfer. */
  readonly given?: Given | undefined;
}

/** A run's totals after an entry, in credits. */
interface Figures {
  readonly reserved: number;
  readonly charged: number;
  readonly released: number;
}

interface RunData extends Figures {
  readonly status: string;
}

interface GrantData {
  readonly credits: number;
  readonly transfer?: string;
  readonly reason?: string;
}

const nothing: Figures = { reserved: 0, charged: 0, released: 0 };
const isOver = (status: string): boolean => status === "succeeded" || status === "failed" || status === "refused";

const grants: Readonly<Record<string, TransferKind>> = {
  "credits.grant": "grant",
  "credits.topup": "topup",
  "credits.adjust": "adjust",
};

/**
 * Returns a function that reads audit entries, in order, and returns the credits that each of them moved. A run's
 * entries state its totals, so the movement is the difference from the previous entry. For `agreement.ts`.
 */
export function createStatements() {
  const open = new Map<string, Figures>();

  function ofRun(entry: StatedEntry): Moved[] {
    const { status, ...after } = JSON.parse(entry.data_json) as RunData;
    const before = open.get(entry.subject) ?? nothing;
    if (isOver(status)) open.delete(entry.subject);
    else open.set(entry.subject, after);
    return [
      movedBy(entry, "reserve", after.reserved - before.reserved),
      movedBy(entry, "settle", after.charged - before.charged),
      movedBy(entry, "release", after.released - before.released),
    ];
  }

  function ofGrant(entry: StatedEntry, kind: TransferKind): Moved[] {
    const { credits, transfer, reason } = JSON.parse(entry.data_json) as GrantData;
    const given = transfer === undefined ? undefined : { id: transfer, reason: reason ?? null };
    return [{ ...movedBy(entry, kind, credits), given }];
  }

  /** An imported study reserves and settles at once. */
  function ofStudy(entry: StatedEntry): Moved[] {
    const { credits } = JSON.parse(entry.data_json) as GrantData;
    return [movedBy(entry, "reserve", credits), movedBy(entry, "settle", credits)];
  }

  return (entry: StatedEntry): Moved[] => {
    const { action } = entry;
    const kind = grants[action];
    const all = kind
      ? ofGrant(entry, kind)
      : action.startsWith("run.")
        ? ofRun(entry)
        : action === "validation.charge"
          ? ofStudy(entry)
          : [];
    return all.filter(({ credits }) => credits !== 0);
  };
}

const movedBy = ({ subject, firm_id, at }: StatedEntry, kind: TransferKind, credits: number): Moved => ({
  kind,
  subject,
  firm_id: firm_id ?? "",
  at,
  credits,
});

/** Returns the same record for a transfer. */
export function movedIn({ id, kind, firm_id, run_id, created_at: at, amount, taken, reason }: Movement): Moved {
  const credits = taken === 1 ? -amount : amount;
  return { kind, subject: run_id ?? firm_id, firm_id, at, credits, given: id === null ? undefined : { id, reason } };
}
