import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import type { RunTable } from "../../db/schema/tables.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { openReader } from "../../db/sqlite/verification.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../../src/accounts/admin/firms.ts";
import { createApiKey } from "../../src/accounts/admin/keys.ts";
import { switchGate } from "../../src/accounts/admin/permissions.ts";
import { createUser } from "../../src/accounts/admin/users.ts";
import { bodyOf } from "../../src/cli/client/http.ts";
import { verifyLedger } from "../../src/execution/credits/verify.ts";
import { minute } from "../../src/platform/clock.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { verifyValidations } from "../../src/products/validator/verify.ts";
import { temporaryFolder } from "../blackbox/server.ts";
import { nameMark, pack, packInput } from "../support/pack-world.ts";

/** Real SIGKILLs of a process that executes a Market-Entry Pack: one after each commit that changes it or its study. */

setDefaultTimeout(10 * minute);

const Started = T.Object({ baseUrl: T.String(), token: T.String() });
type Started = { readonly baseUrl: string; readonly token: string };

/** Creates an installation with one firm of 30,000 credits; returns its key and its owner. */
async function prepare(file: string): Promise<{ key: string; owner: string }> {
  const store = openStore(file);
  await migrate(store);
  const act = { actor: "operator", at: systemRuntime.now(), runtime: systemRuntime };
  const prepared = await store.write(async (tx) => {
    for (const gate of ["platform", "company-intelligence", "eu-market-data", "market-validator", pack])
      await switchGate(tx, act, gate, true);
    const { id: firm_id } = await createFirm(tx, act, { name: "Crash" });
    const { id: workspace_id } = await createWorkspace(tx, act, firm_id, { name: "Main" });
    const { id: owner } = await createUser(tx, act, { firm_id, role: "owner", email: "owner@crash.example" });
    await grantCredits(tx, act, { firm_id, credits: 30_000, reason: "test" });
    const holder = { firm_id, workspace_id, user_id: owner, name: "all", expires_at: null };
    const { secret } = await createApiKey(tx, act, { ...holder, scopes: ["use-cases:run", "runs:read"] });
    return { key: secret, owner };
  });
  await store.close();
  return prepared;
}

async function start(file: string, owner: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "pack-server.ts"), file, owner], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  return { child, told: bodyOf(Started, new TextDecoder().decode(value)) };
}

/** Sends a request, whose response a kill may cut off. */
const ask = (told: Started, path: string, as: string, body: object, key = "the-pack-itself"): Promise<unknown> =>
  fetch(told.baseUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  }).catch(() => undefined);

/** Returns the run as stored on disk, even while a process is running. */
function standing(file: string) {
  const database = new Database(file, { readwrite: true });
  const run = database.query<RunTable, []>("select * from runs").get();
  database.close();
  return run;
}

const bytesOf = (file: string): Buffer =>
  Buffer.concat([file, `${file}-wal`].flatMap((path) => (existsSync(path) ? [readFileSync(path)] : [])));

/** Waits until the process is killed, or until the run waits for a person or is terminal. */
async function untilKilled(child: Bun.Subprocess, rests: () => boolean): Promise<"killed" | "rests"> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) return "killed";
    if (rests()) return "rests";
    await Bun.sleep(20);
  }
}

const rejected = ["2", "9", "10"];
const decision = {
  decision: "approve",
  items: { approve: ["1", "3", "4", "5", "6", "7", "8"], reject: rejected },
};

test("a kill after every commit of a pack loses no step, charges each once, and leaves nothing rejected behind", async () => {
  const folder = temporaryFolder("packs");
  const file = join(folder.path, "assay.db");
  const { key, owner } = await prepare(file);
  const boundaries: string[] = [];
  for (;;) {
    const { child, told } = await start(file, owner);
    if (boundaries.length === 0) await ask(told, `/v1/use-cases/${pack}/runs`, key, { input: packInput });
    const rest = () => ["awaiting_approval", "succeeded", "failed", "refused"].includes(standing(file)?.status ?? "");
    if ((await untilKilled(child, rest)) === "rests") {
      const run = standing(file);
      if (run?.status !== "awaiting_approval") {
        child.kill("SIGTERM");
        await child.exited;
        break;
      }
      // No one has approved anything yet, so no name has ever been written.
      expect(bytesOf(file).includes(nameMark)).toBe(false);
      await ask(told, `/v1/runs/${run.id}/approval`, told.token, decision);
      await child.exited;
    }
    expect(child.signalCode).toBe("SIGKILL");
    boundaries.push(standing(file)?.status ?? "none");
    expect(boundaries.length).toBeLessThan(40);
  }
  console.log(`${boundaries.length} kills: ${boundaries.join(", ")}`);
  // The acceptance, five steps, the decision and the report, with the study's commits in between.
  expect(boundaries.length).toBeGreaterThan(8);
  const run = standing(file);
  const charged = 4000 + 3000 + 10_000 + 4900 + 3000;
  expect([run?.status, run?.charged_credits, run?.released_credits]).toEqual(["succeeded", charged, 28_000 - charged]);
  const text = bytesOf(file);
  for (const letter of "ACDEFGH") expect(text.includes(`${nameMark} ${letter}`)).toBe(true);
  for (const letter of "BIJKL") expect(text.includes(`${nameMark} ${letter}`)).toBe(false);
  const reader = openReader(file);
  expect((await verifyLedger(reader)).problems).toEqual([]);
  expect(verifyValidations(reader).problems).toEqual([]);
  expect([reader.strayResults(), reader.strayKeys()]).toEqual([0, 0]);
  const [balance] = reader.balances().filter(({ account }) => account.startsWith("firm:"));
  expect(balance).toMatchObject({ available: 30_000 - charged, reserved: 0 });
  reader.close();
  folder.dispose();
});
