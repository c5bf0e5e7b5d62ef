import {
  available,
  firmAccount,
  issuedAccount,
  platformAccount,
  providerAccount,
  reserved,
} from "../../../db/accounts.ts";
import { addCredits, insertTransfer, takeCredits } from "../../../db/queries/ledger.ts";
import type { TransferTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { assert } from "../../platform/assert.ts";

/**
 * The ledger: double entry, append-only, modelled on two-phase transfers. Every transfer moves credits between two
 * accounts (see `db/accounts.ts`), so the entries sum to zero. Balances are stored separately and can be proved from
 * the entries. A reservation is decided by `machines/run.ts`, becomes a transfer here, and is checked against the
 * balance and written by `db/sqlite/commit-group.ts`. Tests: `test/execution/ledger.test.ts`.
 */

/** The run whose credits are moved, and the generator of transfer ids. */
export interface Charge {
  readonly firm_id: string;
  readonly run_id: string;
  readonly at: number;
  readonly id: () => string;
}

/** The part of a step's charge that goes to its provider, in credits. A smaller charge goes to the provider whole. */
export interface ProviderShare {
  readonly name: string;
  readonly credits: number;
}

/** What a transition does with a run's credits. */
export type Movement =
  /** Sets the maximum aside, whole or not at all. The commit refuses it with `insufficient_credits`. */
  | { readonly type: "reserve"; readonly credits: number }
  /** Posts revenue once per (run, step); the database rejects a second settlement. */
  | {
      readonly type: "settle";
      readonly step: string;
      readonly credits: number;
      /** If absent, the whole charge is the platform's. */
      readonly provider?: ProviderShare | undefined;
    }
  /** Returns credits to the firm. `step` is `null` for the remainder at the end of a run. */
  | { readonly type: "release"; readonly step: string | null; readonly credits: number };

type Entry = Pick<TransferTable, "kind" | "debit" | "credit" | "amount" | "step">;

function entriesOf(firm_id: string, movement: Movement): Entry[] {
  const { type, credits } = movement;
  const held = reserved(firm_id);
  if (type === "reserve") return [{ kind: type, debit: available(firm_id), credit: held, amount: credits, step: null }];
  const { step } = movement;
  if (type === "release") return [{ kind: type, debit: held, credit: available(firm_id), amount: credits, step }];
  const share = Math.min(movement.provider?.credits ?? 0, credits);
  return [
    { kind: type, debit: held, credit: platformAccount, amount: credits - share, step },
    { kind: type, debit: held, credit: providerAccount(movement.provider?.name ?? ""), amount: share, step },
  ];
}

/** Returns the ledger entries of the movements, in order. Movements of zero credits have none. */
export function transfersOf({ firm_id, run_id, at, id }: Charge, movements: readonly Movement[]): TransferTable[] {
  const transfers: TransferTable[] = [];
  for (const movement of movements) {
    assert(Number.isSafeInteger(movement.credits) && movement.credits >= 0, "credits are whole");
    for (const { kind, debit, credit, amount, step } of entriesOf(firm_id, movement))
      if (amount > 0)
        transfers.push({ id: id(), firm_id, run_id, created_at: at, reason: null, kind, debit, credit, amount, step });
  }
  return transfers;
}

/** An administrator's change to a firm's credits, with the reason recorded in the ledger. */
export interface Grant {
  readonly id: string;
  readonly firm_id: string;
  readonly credits: number;
  readonly reason: string;
  readonly at: number;
}

const grantTransfer = ({ id, firm_id, credits, reason, at }: Grant, kind: TransferTable["kind"]): TransferTable => ({
  id,
  firm_id,
  kind,
  debit: issuedAccount,
  credit: available(firm_id),
  amount: credits,
  run_id: null,
  step: null,
  reason,
  created_at: at,
});

/** Adds credits to a firm's account. */
export async function grant(tx: Db, kind: "grant" | "topup" | "adjust", given: Grant): Promise<void> {
  assert(Number.isSafeInteger(given.credits) && given.credits > 0, "a grant is a positive whole number");
  await addCredits.run(tx, { account: firmAccount(given.firm_id), amount: given.credits });
  await insertTransfer.run(tx, grantTransfer(given, kind));
}

/** Deducts credits from the available balance. Returns false if the balance is too low. */
export async function deduct(tx: Db, taken: Grant): Promise<boolean> {
  assert(Number.isSafeInteger(taken.credits) && taken.credits > 0, "a deduction is a positive whole number");
  const done = await takeCredits.run(tx, { account: firmAccount(taken.firm_id), amount: taken.credits });
  if (done === 0) return false;
  const { debit, credit, ...transfer } = grantTransfer(taken, "adjust");
  await insertTransfer.run(tx, { ...transfer, debit: credit, credit: debit });
  return true;
}
