import {
  available,
  firmAccount,
  issuedAccount,
  platformAccount,
  providerAccount,
  reserved,
} from "../../../db/accounts.ts";
import type { Transfer } from "../../../db/schema/tables.ts";
import type { Charged, Reader } from "../../../db/sqlite/verification.ts";
import { breath, breathe, createFindings, type Findings } from "../../platform/findings.ts";
import type { ProviderShare } from "./ledger.ts";

/** A run whose reservation is not used up yet, according to its transfers. */
interface OpenRun {
  readonly firm_id: string;
  reserved: number;
  settled: number;
  released: number;
  /** Credits settled, by step. */
  readonly steps: Map<string, number>;
  /** Credits settled, by step and account. */
  readonly settlements: Map<string, number>;
}

type Problem = (line: string) => void;

/** Checks that a transfer's kind allows its accounts, and that its amount is positive. */
function isWellFormed({ kind, debit, credit, amount, firm_id, run_id, step }: Transfer): boolean {
  const free = available(firm_id);
  const held = reserved(firm_id);
  if (!Number.isSafeInteger(amount) || amount <= 0 || debit === credit) return false;
  switch (kind) {
    case "reserve":
      return run_id !== null && debit === free && credit === held;
    case "release":
      return run_id !== null && debit === held && credit === free;
    case "settle":
      return run_id !== null && step !== null && debit === held && isRevenue(credit);
    case "grant":
    case "topup":
      return run_id === null && debit === issuedAccount && credit === free;
    case "adjust":
      return run_id === null && [debit, credit].sort().join() === [issuedAccount, free].sort().join();
    default:
      return false;
  }
}

const isRevenue = (account: string): boolean => account === platformAccount || account.startsWith(providerAccount(""));

/** Sums the accounts in commit order. No account except the source of granted credits may ever fall below zero. */
function createAccounts(problem: Problem) {
  const sums = new Map<string, number>();
  const add = (account: string, amount: number): number => {
    const sum = (sums.get(account) ?? 0) + amount;
    sums.set(account, sum);
    return sum;
  };
  return {
    sums,
    post({ id, debit, credit, amount }: Transfer): void {
      add(credit, amount);
      if (add(debit, -amount) < 0 && debit !== issuedAccount) problem(`transfer ${id} takes ${debit} below zero`);
    },
  };
}

/** Compares the stored balances with the sums of the transfers. */
function checkBalances(reader: Reader, sums: ReadonlyMap<string, number>, problem: Problem): void {
  const unseen = new Set(sums.keys());
  unseen.delete(issuedAccount);
  const compare = (account: string, kept: number): void => {
    unseen.delete(account);
    const proven = sums.get(account) ?? 0;
    if (kept !== proven) problem(`account ${account} holds ${kept}, but its transfers sum up to ${proven}`);
    if (kept < 0) problem(`account ${account} is below zero: ${kept}`);
  };
  for (const balance of reader.balances()) {
    const isFirm = balance.account.startsWith(firmAccount(""));
    compare(isFirm ? `${balance.account}/available` : balance.account, balance.available);
    if (isFirm || balance.reserved !== 0) compare(`${balance.account}/reserved`, balance.reserved);
  }
  for (const account of unseen) problem(`account ${account} has transfers and no balance`);
}

/** Recomputes from the transfers what the index says a firm held after each one; `balance_after` is read from there. */
function checkKeptBalances(reader: Reader, problem: Problem): void {
  let firm = "";
  let [free, held] = [0, 0];
  for (const { owner, seq, debit, credit, amount, available_after, reserved_after, ...row } of reader.keptBalances()) {
    if (owner !== firm) [firm, free, held] = [owner, 0, 0];
    const firm_id = row.firm_id ?? "";
    const moved = (account: string): number =>
      (credit === account ? (amount ?? 0) : 0) - (debit === account ? (amount ?? 0) : 0);
    free += moved(available(firm_id));
    held += moved(reserved(firm_id));
    if (amount === null) problem(`the index of transfers by firm has transfer ${seq}, which does not exist`);
    if (free !== available_after || held !== reserved_after)
      problem(
        `transfer ${seq}: the index says ${available_after} available and ${reserved_after} reserved after it, but the transfers sum up to ${free} and ${held}`,
      );
    // Continue from the stored values, so that one wrong row is reported once.
    [free, held] = [available_after, reserved_after];
  }
}

/** A step of a run as it is stored, or an imported study. */
interface ChargedStep {
  readonly key: string;
  readonly charged_credits: number;
  readonly provider?: ProviderShare;
}

const settlementOf = (step: string, account: string): string => `${step} to ${account}`;

/** Compares the charges in the run's steps, and the shares agreed with their providers, with the settled transfers. */
function checkSteps(run_id: string, open: OpenRun, row: Charged, problem: Problem): void {
  const unseen = new Set(open.steps.keys());
  for (const { key, charged_credits, provider } of JSON.parse(row.steps_json) as ChargedStep[]) {
    unseen.delete(key);
    const settled = open.steps.get(key) ?? 0;
    if (settled !== charged_credits)
      problem(`run ${run_id}: step ${key} was charged ${charged_credits}, but ${settled} were settled`);
    if (!provider) continue;
    const share = Math.min(provider.credits, charged_credits);
    const paid = open.settlements.get(settlementOf(key, providerAccount(provider.name))) ?? 0;
    const kept = open.settlements.get(settlementOf(key, platformAccount)) ?? 0;
    if (paid !== share || kept !== charged_credits - share)
      problem(`run ${run_id}: ${share} of step ${key} are ${provider.name}'s, but ${paid} were settled to it`);
  }
  for (const step of unseen) problem(`run ${run_id}: credits were settled for ${step}, which is not one of its steps`);
}

/** Compares the run's own totals with its transfers. */
function checkRun(run_id: string, open: OpenRun, row: Charged | null, problem: Problem): void {
  if (!row) {
    problem(`there are transfers of run ${run_id}, which does not exist`);
    return;
  }
  if (row.firm_id !== open.firm_id) problem(`run ${run_id}: its transfers belong to another firm`);
  const figures = [
    ["reserved", row.reserved_credits, open.reserved],
    ["charged", row.charged_credits, open.settled],
    ["released", row.released_credits, open.released],
  ] as const;
  for (const [name, told, moved] of figures)
    if (told !== moved) problem(`run ${run_id}: ${name} is ${told}, but its transfers sum up to ${moved}`);
  if (row.finished_at !== null && open.reserved !== open.settled + open.released)
    problem(
      `run ${run_id} has finished: reserved ${open.reserved}, settled ${open.settled} + released ${open.released}`,
    );
  checkSteps(run_id, open, row, problem);
}

/** Tracks each run's reservation through the ledger, and drops it once it is used up and has been checked. */
function createRunLedger(reader: Reader, problem: Problem) {
  const openRuns = new Map<string, OpenRun>();
  let reservations = 0;

  function settle(run_id: string, open: OpenRun, { step, credit, amount }: Transfer): void {
    const key = step ?? "";
    const settlement = settlementOf(key, credit);
    if (open.settlements.has(settlement)) problem(`run ${run_id}: settled ${settlement} more than once`);
    open.settlements.set(settlement, amount);
    open.settled += amount;
    open.steps.set(key, (open.steps.get(key) ?? 0) + amount);
  }

  return {
    post(transfer: Transfer): void {
      const { run_id, kind, amount, firm_id, id } = transfer;
      if (run_id === null) return;
      let open = openRuns.get(run_id);
      if (!open) {
        if (kind !== "reserve") {
          problem(`transfer ${id}: a ${kind} without a reservation for run ${run_id}`);
          return;
        }
        open = { firm_id, reserved: 0, settled: 0, released: 0, steps: new Map(), settlements: new Map() };
        openRuns.set(run_id, open);
        reservations++;
      }
      if (kind === "reserve") open.reserved += amount;
      else if (kind === "release") open.released += amount;
      else settle(run_id, open, transfer);
      if (open.reserved > open.settled + open.released) return;
      checkRun(run_id, open, reader.run(run_id), problem);
      openRuns.delete(run_id);
    },
    end(): void {
      for (const [run_id, open] of openRuns) checkRun(run_id, open, reader.run(run_id), problem);
      const told = reader.reservedRuns();
      if (told !== reservations)
        problem(`${told} runs have reserved credits, but the ledger has ${reservations} reservations`);
    },
  };
}

/**
 * Reads the ledger once, in commit order, and proves every balance and every run's charges from it: entries are
 * well-formed, no account falls below zero, each (run, step) settles at most once, and for each terminal run reserved =
 * charged + released. Called by `assay verify`.
 */
export async function verifyLedger(reader: Reader, progress?: (done: string) => void): Promise<Findings> {
  const findings = createFindings("ledger", progress);
  await reader.atOneInstant(async () => {
    const accounts = createAccounts(findings.problem);
    const runs = createRunLedger(reader, findings.problem);
    const index = reader.firmTransfers();
    let indexed = 0;
    let seen = 0;
    for (const transfer of reader.transfers()) {
      findings.count();
      if (!isWellFormed(transfer)) findings.problem(`transfer ${transfer.id} is not a well-formed ${transfer.kind}`);
      accounts.post(transfer);
      runs.post(transfer);
      if (transfer.seq <= index.upto) indexed++;
      if (++seen % breath === 0) await breathe();
    }
    runs.end();
    if (index.rows !== indexed)
      findings.problem(`the index of transfers by firm has ${index.rows} rows, but should have ${indexed}`);
    checkBalances(reader, accounts.sums, findings.problem);
    checkKeptBalances(reader, findings.problem);
  });
  return findings.result();
}
