import { backfill } from "../../../db/queries/derived.ts";
import {
  addCredits,
  holdCredits,
  insertTransfer,
  spendCredits,
  takeCredits,
  unholdCredits,
} from "../../../db/queries/ledger.ts";
import type { TransferKind } from "../../../db/schema/tables.ts";
import { addUp, beforeCommit, leaveRow } from "../../../db/sqlite/closing.ts";
import type { Db } from "../../../db/sqlite/connection.ts";
import { assert } from "../../platform/assert.ts";
import { newId } from "../../platform/ids.ts";

/**
 * Double entry, append-only, modelled on two-phase transfers. Every transfer takes `amount` credits from one account
 * and gives them to another, so the entries sum to zero by their shape; balances are kept beside and provable from them.
 *
 * Accounts: `firm:<id>/available`, `firm:<id>/reserved`, `platform`, `provider:<name>`, and `issued`, where granted
 * credits come from and which alone has no balance row.
 */
export const firmAccount = (firm_id: string): string => `firm:${firm_id}`;
export const available = (firm_id: string): string => `${firmAccount(firm_id)}/available`;
export const reserved = (firm_id: string): string => `${firmAccount(firm_id)}/reserved`;
export const platformAccount = "platform";
export const issuedAccount = "issued";
export const providerAccount = (provider: string): string => `provider:${provider}`;

/** The run that credits are moved for. */
export interface Charge {
  readonly firm_id: string;
  readonly run_id: string;
  readonly at: number;
}

interface Entry {
  readonly kind: TransferKind;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly step?: string | null;
  readonly reason?: string | null;
}

/** After so many transfers their index by firm is filled up, so that a reader finds little left to do. */
const indexedEvery = 4_096;
let unindexed = 0;

function transfer(tx: Db, firm_id: string, run_id: string | null, at: number, entry: Entry): void {
  leaveRow(tx, insertTransfer, {
    id: newId(),
    firm_id,
    run_id,
    created_at: at,
    kind: entry.kind,
    debit: entry.debit,
    credit: entry.credit,
    amount: entry.amount,
    step: entry.step ?? null,
    reason: entry.reason ?? null,
  });
  unindexed++;
  if (unindexed < indexedEvery) return;
  unindexed = 0;
  beforeCommit(tx, () => backfill(tx, "firm_transfers"));
}

const whole = (credits: number): void => assert(Number.isSafeInteger(credits) && credits >= 0, "credits are whole");

const reservation = (firm_id: string, amount: number): Entry => ({
  kind: "reserve",
  debit: available(firm_id),
  credit: reserved(firm_id),
  amount,
});

/** Sets the maximum of a run aside, whole or not at all. False: the firm has too little available. */
export async function reserve(tx: Db, charge: Charge, credits: number): Promise<boolean> {
  whole(credits);
  if (credits === 0) return true;
  const held = await holdCredits.run(tx, { account: firmAccount(charge.firm_id), amount: credits });
  if (held === 0) return false;
  transfer(tx, charge.firm_id, charge.run_id, charge.at, reservation(charge.firm_id, credits));
  return true;
}

/** What happens to part of a reservation. */
export type Movement =
  /** Posted as revenue, once for each (run, step): the database refuses a second time. */
  | {
      readonly type: "settle";
      readonly step: string;
      readonly credits: number;
      /** The part that goes to the provider; the rest is the platform's. */
      readonly provider?: { readonly name: string; readonly credits: number } | undefined;
    }
  /** Given back. `step` is null for what is left at a run's end. */
  | { readonly type: "release"; readonly step: string | null; readonly credits: number };

/** Revenue of all jobs of a group goes to its account in one write. */
const earn = (tx: Db, account: string, amount: number): void =>
  addUp(tx, `earned:${account}`, amount, (sum) => addCredits.run(tx, { account, amount: sum }));

/** The transfers of a movement, with the credits that it posts. */
function entriesOf(firm_id: string, movement: Movement): Entry[] {
  const { step, credits } = movement;
  const debit = reserved(firm_id);
  if (movement.type === "release")
    return [{ kind: "release", debit, credit: available(firm_id), amount: credits, step }];
  const share = Math.min(movement.provider?.credits ?? 0, credits);
  const shares: Entry[] = [
    { kind: "settle", debit, credit: platformAccount, amount: credits - share, step },
    { kind: "settle", debit, credit: providerAccount(movement.provider?.name ?? ""), amount: share, step },
  ];
  return shares.filter(({ amount }) => amount > 0);
}

/** What movements take off a reservation together, and how much of it they give back. */
function sumOf(movements: readonly Movement[]): { freed: number; back: number } {
  let freed = 0;
  let back = 0;
  for (const { type, credits } of movements) {
    whole(credits);
    freed += credits;
    if (type === "release") back += credits;
  }
  return { freed, back };
}

/** The transfers of movements whose balance was changed. */
function enter(tx: Db, { firm_id, run_id, at }: Charge, movements: readonly Movement[]): void {
  for (const movement of movements) {
    if (movement.credits === 0) continue;
    for (const entry of entriesOf(firm_id, movement)) {
      if (movement.type === "settle") earn(tx, entry.credit, entry.amount);
      transfer(tx, firm_id, run_id, at, entry);
    }
  }
}

/** Carries out what a transition does with a run's reservation, all of it in one change of the firm's balance. */
export async function post(tx: Db, charge: Charge, movements: readonly Movement[]): Promise<void> {
  const { freed, back } = sumOf(movements);
  if (freed === 0) return;
  const covered = await unholdCredits.run(tx, { account: firmAccount(charge.firm_id), freed, back });
  assert(covered === 1, "what is settled or released is covered by a reservation");
  enter(tx, charge, movements);
}

/**
 * `reserve` and `post` in one: for a run that ends as it begins, whose movements use the whole reservation up. The entries
 * are the same, the balance is changed once. False, with nothing written: the firm has too little available.
 */
export async function spend(tx: Db, charge: Charge, credits: number, movements: readonly Movement[]): Promise<boolean> {
  whole(credits);
  if (credits === 0) return true;
  const { freed, back } = sumOf(movements);
  assert(freed === credits, "what was reserved is settled or released");
  const account = firmAccount(charge.firm_id);
  const covered = await spendCredits.run(tx, { account, reserved: credits, spent: credits - back });
  if (covered === 0) return false;
  transfer(tx, charge.firm_id, charge.run_id, charge.at, reservation(charge.firm_id, credits));
  enter(tx, charge, movements);
  return true;
}

/** What an administrator does to a firm's credits, with a reason for the ledger. */
export interface Grant {
  readonly firm_id: string;
  readonly credits: number;
  readonly reason: string;
  readonly at: number;
}

/** Gives a firm credits. */
export async function grant(tx: Db, kind: "grant" | "topup" | "adjust", given: Grant): Promise<void> {
  assert(Number.isSafeInteger(given.credits) && given.credits > 0, "a grant is a positive whole number");
  await addCredits.run(tx, { account: firmAccount(given.firm_id), amount: given.credits });
  transfer(tx, given.firm_id, null, given.at, {
    kind,
    debit: issuedAccount,
    credit: available(given.firm_id),
    amount: given.credits,
    reason: given.reason,
  });
}

/** Takes credits back from what is available. False: there are fewer. */
export async function deduct(tx: Db, taken: Grant): Promise<boolean> {
  assert(Number.isSafeInteger(taken.credits) && taken.credits > 0, "a deduction is a positive whole number");
  const done = await takeCredits.run(tx, { account: firmAccount(taken.firm_id), amount: taken.credits });
  if (done === 0) return false;
  transfer(tx, taken.firm_id, null, taken.at, {
    kind: "adjust",
    debit: available(taken.firm_id),
    credit: issuedAccount,
    amount: taken.credits,
    reason: taken.reason,
  });
  return true;
}
