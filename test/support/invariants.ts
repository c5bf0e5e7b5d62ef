import { expect } from "bun:test";
import { issuedAccount } from "../../db/accounts.ts";
import { auditHash, genesis } from "../../db/audit-chain.ts";
import { read, wholeAccount } from "../../db/packed-columns.ts";
import { auditPage } from "../../db/queries/audit.ts";
import { openReader } from "../../db/sqlite/verification.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { verifyCharges } from "../../src/execution/credits/agreement.ts";
import { verifyUsage } from "../../src/execution/usage/verify.ts";
import { verifyRuns } from "../../src/runs/audited.ts";
import { stepsOf } from "../../src/runs/record.ts";
import { resultProblems } from "../../src/runs/results.ts";

/** Sums up each account's balance from its transfers; a firm's available and reserved credits are one account. */
export async function provenBalances(store: Store): Promise<Map<string, number>> {
  const balances = new Map<string, number>();
  for (const [side, sign] of [
    ["debit", -1],
    ["credit", 1],
  ] as const) {
    const sums = await unscoped(store.read)
      .selectFrom("transfers")
      .select((eb) => [read(wholeAccount(side, "firm_id"), "account"), eb.fn.sum<number>("amount").as("sum")])
      .groupBy(["firm_id", side])
      .execute();
    for (const { account, sum } of sums) balances.set(account, (balances.get(account) ?? 0) + sign * sum);
  }
  return balances;
}

/** Returns each account's stored balance. */
export async function keptBalances(store: Store): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  for (const { account, available, reserved } of await unscoped(store.read)
    .selectFrom("balances")
    .selectAll()
    .execute()) {
    if (!account.startsWith("firm:")) kept.set(account, available);
    else kept.set(`${account}/available`, available).set(`${account}/reserved`, reserved);
  }
  return kept;
}

const withoutZeros = (balances: Map<string, number>) =>
  Object.fromEntries([...balances].filter(([account, amount]) => amount !== 0 && account !== issuedAccount).sort());

/**
 * Checks the ledger's invariants: entries sum to zero, no account is below zero, stored balances equal the sums of
 * transfers.
 */
export async function expectSoundLedger(store: Store): Promise<void> {
  const proven = await provenBalances(store);
  expect([...proven.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0);
  const kept = await keptBalances(store);
  expect(withoutZeros(kept)).toEqual(withoutZeros(proven));
  expect([...kept].filter(([, amount]) => amount < 0)).toEqual([]);
}

/** Checks that each run's amounts match the ledger, and that reserved = charged + released in each terminal run. */
export async function expectSoundRuns(store: Store): Promise<void> {
  const sums = await unscoped(store.read)
    .selectFrom("transfers")
    .select((eb) => ["run_id", "kind", eb.fn.sum<number>("amount").as("sum")])
    .where("run_id", "is not", null)
    .groupBy(["run_id", "kind"])
    .execute();
  const moved = Map.groupBy(sums, (row) => row.run_id ?? "");
  const sumOf = (run: string, kind: string) => moved.get(run)?.find((row) => row.kind === kind)?.sum ?? 0;
  for (const run of await unscoped(store.read).selectFrom("runs").selectAll().execute()) {
    const { reserved_credits: reserved, charged_credits: charged, released_credits: released } = run;
    expect([run.id, reserved, charged, released]).toEqual([
      run.id,
      sumOf(run.id, "reserve"),
      sumOf(run.id, "settle"),
      sumOf(run.id, "release"),
    ]);
    if (run.finished_at !== null) expect([run.id, charged + released]).toEqual([run.id, reserved]);
    expect(charged).toBeLessThanOrEqual(run.maximum_credits);
  }
}

/** Checks that every separately stored result belongs to a step, and that no such step lacks its result. */
export async function expectSoundResults(store: Store): Promise<void> {
  const db = unscoped(store.read);
  const results = Map.groupBy(await db.selectFrom("step_results").selectAll().execute(), ({ run_seq }) => run_seq);
  for (const row of await db.selectFrom("runs").selectAll().execute()) {
    expect([row.id, ...resultProblems(stepsOf(row), results.get(row.seq) ?? [])]).toEqual([row.id]);
    results.delete(row.seq);
  }
  expect([...results.keys()]).toEqual([]);
}

/** Checks that every audit entry's hash follows from the previous one. */
export async function expectSoundAudit(store: Store): Promise<void> {
  let last = genesis;
  let seq = 0;
  for (const { hash, ...row } of await auditPage(unscoped(store.read), 0, 100_000)) {
    expect([row.seq, hash]).toEqual([++seq, auditHash(last, row)]);
    last = hash;
  }
}

/** Checks that data stored in two places agree: ledger, runs, usage statements and the audit log. */
export async function expectOneHistory(store: Store): Promise<void> {
  const reader = openReader(store.file);
  try {
    for (const check of [verifyCharges, verifyRuns, verifyUsage]) {
      const { name, problems } = await check(reader);
      expect([name, ...problems]).toEqual([name]);
    }
  } finally {
    reader.close();
  }
}

/** Checks everything that must hold at any moment, whatever happened before. */
export async function expectSound(store: Store): Promise<void> {
  await expectSoundLedger(store);
  await expectSoundRuns(store);
  await expectSoundResults(store);
  await expectSoundAudit(store);
  await expectOneHistory(store);
}
