import { afterAll, beforeAll, expect, test } from "bun:test";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import type { Run } from "../../src/runs/schema.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { until } from "../support/harness.ts";
import { nameMark, pack, packInput, packServices } from "../support/pack-world.ts";

/** Runs the Market-Entry Pack and its decision as a person does in a terminal, against a complete server. */

let world: World;
/** Until this is resolved, the company's site does not respond. */
const opened = Promise.withResolvers<void>();
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async () => {
    await opened.promise;
    return new Response("<title>SYNTHETIC Firm</title><h1>Cycling insurance for commuters</h1>", {
      headers: { "content-type": "text/html" },
    });
  },
});
const host = `www.firm.cz:${site.port}`;

beforeAll(async () => {
  const runtime = { ...systemRuntime, resolveHost: async () => ["127.0.0.1"] };
  const outbound = createOutbound({ runtime, allow_private: [host] });
  const services = (store: Parameters<typeof packServices>[2]) => packServices(undefined, outbound, store);
  world = await openWorld([], { capabilities, useCases, stepEngines, services });
});
afterAll(async () => {
  await world.close();
  await site.stop(true);
});

/** Starts a command and collects its output so far. */
function followed(args: readonly string[]) {
  const child = world.start(args);
  let told = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of child.stderr) told += decoder.decode(part, { stream: true });
  })();
  return {
    said: () => told,
    async ended() {
      const [code, out] = await Promise.all([child.exited, child.stdout.text(), reading]);
      return { code, out, err: told };
    },
  };
}

const asKey = async (id: string): Promise<string> => (await world.ask(`/v1/runs/${id}`)).text();

test("a run of the pack shows its steps, awaits approval, and continues with the approved items", async () => {
  const command = followed([
    "run",
    pack,
    "--input",
    JSON.stringify({ ...packInput, company_url: `http://${host}/` }),
    "--wait",
  ]);
  await until(async () => /running · \d of 6 steps done · .*Company profile/.test(command.said()), "a step is shown");
  opened.resolve();
  const waits =
    /awaiting approval · \d of 6 steps done · Ten qualified targets · decide with: assay approvals approve (\S+)/;
  await until(async () => waits.test(command.said()), "the pack waits for a person");
  const id = waits.exec(command.said())?.[1] ?? "";

  const env = { ASSAY_ACCESS_TOKEN: world.token() };
  expect((await world.assay(["approvals", "list"], { env })).out).toContain(id);
  const shown = await world.assay(["approvals", "show", id], { env });
  for (const letter of "ABCDEFGHIJ") expect(shown.out).toContain(`${nameMark} ${letter}, München`);
  expect(await asKey(id)).not.toContain(nameMark);
  expect((await world.assay(["runs", "get", id])).out).not.toContain(nameMark);
  expect((await world.assay(["approvals", "approve", id], { env: { ASSAY_ACCESS_TOKEN: world.key.all } })).code).toBe(
    3,
  );

  const lists = ["--items", "1,3,4,5,6,7,8", "--reject-items", "2,9,10"];
  const decided = await world.assay(["approvals", "approve", id, ...lists, "--comment", "seven of ten"], { env });
  expect([decided.code, decided.err]).toEqual([0, `Follow it with: assay runs watch ${id}\n`]);
  const { code, out } = await command.ended();
  expect([code, command.said().includes(nameMark)]).toEqual([0, false]);
  for (const letter of "ACDEFGH") expect(out).toContain(`${nameMark} ${letter}`);
  const run = JSON.parse(await asKey(id)) as Run;
  expect(run).toMatchObject({ status: "succeeded", approval: { decision: "approve", comment: "seven of ten" } });
  expect(run.steps.find(({ key }) => key === "targets")?.charged_credits).toBe(4900);
  const after = await world.assay(["approvals", "show", id], { env });
  for (const text of [out, JSON.stringify(run), after.out])
    for (const letter of "BIJ") expect(text).not.toContain(`${nameMark} ${letter}`);
  expect(after.out).toMatch(/SHA-256\s+[0-9a-f]{64}/);
}, 600_000);
