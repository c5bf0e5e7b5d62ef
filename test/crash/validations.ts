import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { openReader } from "../../db/sqlite/verification.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../../src/accounts/admin/firms.ts";
import { createApiKey } from "../../src/accounts/admin/keys.ts";
import { switchGate } from "../../src/accounts/admin/permissions.ts";
import { createUser } from "../../src/accounts/admin/users.ts";
import { verifyLedger } from "../../src/execution/credits/verify.ts";
import { minute } from "../../src/platform/clock.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { verifyValidations } from "../../src/products/validator/verify.ts";
import { bicycles } from "../support/validator-world.ts";

/** Real SIGKILLs of a process that executes a study: one after each commit that changes it. */

setDefaultTimeout(10 * minute);

const said = { answer: "I would probably buy this, it appeals to me.", reason: "need", objections: ["price"] };
const completion = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: JSON.stringify(said) }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** A model that counts how often each person was asked. */
function countingModel() {
  const asked = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as { input?: string[]; messages?: { content: string }[] };
      if (body.input) {
        const data = body.input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1, 2] }));
        return Response.json({ object: "list", model: "m", data, usage: { prompt_tokens: 1, total_tokens: 1 } });
      }
      const question = body.messages?.at(-1)?.content ?? "";
      asked.set(question, (asked.get(question) ?? 0) + 1);
      return Response.json(completion);
    },
  });
  return { asked, host: `127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

/** Creates an installation with one firm of 10,000 credits; returns its key. */
async function prepare(file: string): Promise<string> {
  const store = openStore(file);
  await migrate(store);
  const act = { actor: "operator", at: systemRuntime.now(), runtime: systemRuntime };
  const secret = await store.write(async (tx) => {
    for (const gate of ["platform", "market-validator"]) await switchGate(tx, act, gate, true);
    const { id: firm_id } = await createFirm(tx, act, { name: "Crash" });
    const { id: workspace_id } = await createWorkspace(tx, act, firm_id, { name: "Main" });
    const user = await createUser(tx, act, { firm_id, role: "owner", email: "owner@crash.example" });
    await grantCredits(tx, act, { firm_id, credits: 10_000, reason: "test" });
    const holder = { firm_id, workspace_id, user_id: user.id, name: "all", expires_at: null };
    const scopes = ["capabilities:run", "runs:read"];
    return (await createApiKey(tx, act, { ...holder, scopes })).secret;
  });
  await store.close();
  return secret;
}

function start(file: string, host: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "validation-server.ts"), file, host], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = child.stdout.getReader().read();
  return { child, origin: origin.then(({ value }) => new TextDecoder().decode(value).trim()) };
}

async function order(origin: string, key: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": "the-study-itself",
  };
  const body = JSON.stringify({ input: { hypothesis: bicycles, market: "CZ" } });
  // The first kill may cut off its response.
  await fetch(`${origin}/v1/capabilities/market-validator/runs`, { method: "POST", headers, body }).catch(
    () => undefined,
  );
}

/** Returns the study as stored on disk, even while a process is running. */
function standing(file: string): { status: string; charged: number } {
  const reader = openReader(file);
  const [study] = reader.validations("", 1);
  const run = study ? reader.run(study.id) : null;
  reader.close();
  return { status: study?.status ?? "none", charged: run?.charged_credits ?? 0 };
}

test("a kill after every commit of a study interviews no persona twice, and charges it once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-study-"));
  const file = join(folder, "assay.db");
  const model = countingModel();
  const key = await prepare(file);
  let kills = 0;
  for (;;) {
    const { child, origin } = start(file, model.host);
    if (kills === 0) await order(await origin, key);
    if ((await ran(child, file, await origin)) === "succeeded") break;
    expect(child.signalCode).toBe("SIGKILL");
    kills++;
    expect(kills).toBeLessThan(20);
  }
  // Started, drawn, two batches, the weighting and the settlement of its run.
  expect(kills).toBe(6);
  expect(model.asked.size).toBe(20);
  expect([...model.asked.values()]).toEqual(Array(20).fill(1));
  const { status, charged } = standing(file);
  expect([status, charged]).toEqual(["completed", 500]);
  const reader = openReader(file);
  expect((await verifyLedger(reader)).problems).toEqual([]);
  expect(verifyValidations(reader).problems).toEqual([]);
  const [balance] = reader.balances().filter(({ account }) => account.startsWith("firm:"));
  expect(balance).toMatchObject({ available: 9_500, reserved: 0 });
  reader.close();
  model.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Checks that the process is alive: one that kills itself after a commit does not respond, though the commit can be
 * read already.
 */
const answers = (origin: string): Promise<boolean> =>
  fetch(`${origin}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Waits for the study to complete in a process that survives, then stops it; returns "killed" if the process dies
 * first.
 */
async function ran(child: Bun.Subprocess, file: string, origin: string): Promise<"succeeded" | "killed"> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) return "killed";
    const { status, charged } = standing(file);
    if (status === "completed" && charged > 0 && (await answers(origin))) {
      child.kill("SIGTERM");
      await child.exited;
      return "succeeded";
    }
    await Bun.sleep(20);
  }
}
