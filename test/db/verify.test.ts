import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openReader } from "../../db/sqlite/verification.ts";
import { verifyLedger } from "../../src/execution/credits/verify.ts";
import { failForGood, succeed } from "../support/engines.ts";
import { World } from "../support/harness.ts";
import { assay, Installation } from "../support/operator.ts";
import { tamper } from "../support/tamper.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

interface Verified {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly checked: number; readonly problems: readonly string[] }[];
}

describe("assay verify", () => {
  const verify = async (file: string): Promise<[number, Verified]> => {
    const { code, out } = await assay(["verify", "--json", "--data", dirname(file)]);
    return [code, JSON.parse(out)];
  };

  /**
   * Opens a world with runs in every state that leaves a trace: charged in full and in part, failed, refused, awaiting
   * approval.
   */
  async function finishedWorld(): Promise<World> {
    const world = await World.open();
    const firm = await world.firm({ credits: 3_000 });
    const { echo } = world.engines;
    await world.settled(firm);
    echo.behave = succeed(300);
    await world.settled(firm);
    await world.settled(firm, { useCase: "triage" });
    echo.behave = failForGood;
    await world.settled(firm);
    // The index of entries by firm is filled when they are read.
    expect((await world.ask("/v1/credits", { as: firm.people.owner.token })).status).toBe(200);
    const poor = await world.firm({ credits: 10 });
    await world.settled(poor);
    return world;
  }

  test("finds nothing wrong with what the product wrote, even while it is open", async () => {
    await using world = await finishedWorld();
    const [code, told] = await verify(world.store.file);
    expect(told.checks.flatMap((check) => check.problems)).toEqual([]);
    expect([code, told.ok]).toEqual([0, true]);
    expect(told.checks.map((check) => check.name)).toEqual([
      "database",
      "ledger",
      "charges",
      "runs",
      "usage",
      "jobs",
      "validations",
      "solutions",
      "receipts",
      "audit",
    ]);
    expect(told.checks.filter(({ checked }) => checked === 0).map(({ name }) => name)).toEqual([
      "jobs",
      "validations",
      "solutions",
    ]);
  });

  test.each([
    ["a balance", "update balances set available = available + 1 where account like 'firm:%'", "ledger", "holds"],
    ["a balance below zero", "update balances set reserved = -1 where account like 'firm:%'", "ledger", "below zero"],
    [
      "an entry's balance",
      "update firm_transfers set available_after = available_after + 1 where seq = (select min(seq) from firm_transfers)",
      "ledger",
      "the index says",
    ],
    ["the amount of a settlement", "update transfers set amount = amount + 1 where kind = 'settle'", "ledger", "run "],
    [
      "the account of a settlement",
      "update transfers set credit = 'thief' where kind = 'settle' and credit = 'platform'",
      "ledger",
      "well-formed",
    ],
    [
      "a provider's share",
      "update transfers set credit = 'provider:thief' where kind = 'settle' and credit like 'provider:%'",
      "ledger",
      "were settled to it",
    ],
    ["a deleted transfer", "delete from transfers where kind = 'release'", "ledger", "sum up to"],
    ["a deleted reservation", "delete from transfers where kind = 'reserve'", "ledger", "without a reservation"],
    [
      "a second settlement",
      `insert into transfers (id, firm_id, kind, debit, credit, amount, run_id, step, created_at)
       select 'twice', firm_id, kind, debit, 'provider:other', amount, run_id, step, created_at from transfers
       where kind = 'settle' limit 1`,
      "ledger",
      "settle without a reservation",
    ],
    ["a run's charge", "update runs set charged_credits = charged_credits + 1", "ledger", "charged is"],
    ["a deleted run", "delete from runs", "ledger", "does not exist"],
    ["a run's status", "update runs set status = 'failed'", "receipts", "its receipt differs from it in"],
    ["a run's result", "update runs set steps_json = replace(steps_json, 'yes', 'no')", "receipts", "result_sha256"],
    [
      "a run's input",
      "update runs set input_json = replace(input_json, 'hello', 'jello')",
      "receipts",
      "input does not match its hash",
    ],
    ["unreadable steps", "update runs set steps_json = '{'", "receipts", "can't be read"],
    [
      "a receipt's signature",
      // A stored receipt's signature starts at its second byte.
      "update receipts set receipt = cast(substr(receipt, 1, 1) || x'00' || substr(receipt, 3) as blob)",
      "receipts",
      "not signed with",
    ],
    ["a deleted receipt", "delete from receipts", "receipts", "without a receipt"],
    ["a deleted signing key", "delete from signing_keys", "receipts", "not signed with"],
    ["an audit entry's content", "update audit set actor = 'nobody' where seq = 3", "audit", "entry 3 does not match"],
    ["a deleted audit entry", "delete from audit where seq = 3", "audit", "3 to 3 are missing"],
  ])("exits with 1 and reports a manipulation: %s", async (_, tampering, name, message) => {
    await using world = await finishedWorld();
    tamper(world.store.file, tampering);
    const [code, told] = await verify(world.store.file);
    expect([code, told.ok]).toEqual([1, false]);
    const found = told.checks.find((check) => check.name === name)?.problems ?? [];
    expect(found.join("\n")).toContain(message);
  });

  test("explains the problem if the file is damaged", async () => {
    await using place = new Installation();
    await place.init();
    const bytes = readFileSync(place.database);
    bytes.fill(0xff, 8_192, 12_288);
    writeFileSync(place.database, bytes);
    const { code, out, err } = await place.run("verify");
    expect(code).toBe(1);
    expect(out + err).toMatch(/malformed|WRONG/);
  });

  test("prints only the first of many problems of a kind", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 20_000 });
    for (let i = 0; i < 25; i++) await world.settled(firm);
    tamper(world.store.file, "update runs set charged_credits = charged_credits + 1");
    const reader = openReader(world.store.file);
    const { problems } = await verifyLedger(reader);
    reader.close();
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toMatch(/^and \d+ more$/);
  });
});
