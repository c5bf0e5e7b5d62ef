import { afterAll, describe, expect, test } from "bun:test";
import { grantableScopes, runScopes } from "../../src/contracts/scopes.ts";
import { freshKey, refusal, World } from "../support/harness.ts";
import { callTool, mcpCatalogue, toolNames, toolsOf } from "../support/mcp-world.ts";
import { operationsOf } from "../support/operations.ts";

/** A spending scope is required wherever credits can be reserved, on every route and by every tool. */

const { capabilities } = mcpCatalogue();
const world = await World.open(undefined, { capabilities });
await world.openGates("exa-filter", "company-intelligence");
afterAll(() => world[Symbol.asyncDispose]());
const entitlements = ["market-intelligence:read", "distribution:read", "partner-tool", "capability:hidden"];
const firm = await world.firm({ entitlements });
/** Every scope that a key may have, except those that spend. */
const allButSpending = grantableScopes.filter((scope) => !runScopes.some((spends) => spends === scope));
const { secret: poor } = await world.key(firm, allButSpending);

const saved = await world.ask("/v1/saved-configurations", {
  as: firm.key,
  body: { name: "mine", capability: "echo", input: { text: "mine" } },
});
const configuration_id = ((await saved.json()) as { id: string }).id;
/** Request bodies that would start something, by route. */
const starting: Readonly<Record<string, unknown>> = {
  "/v1/capabilities/{slug}/runs": { input: { text: "hello" } },
  "/v1/use-cases/{slug}/runs": { input: { text: "hello" } },
  "/v1/partner-tool/call": { tool: "echo_text", arguments: { text: "hello" } },
};

describe("a key with every scope except spending reserves no credits", () => {
  test("by any route", async () => {
    const operations = (await operationsOf(world)).filter(
      ({ method, path }) => method === "POST" && path.startsWith("/v1"),
    );
    expect(operations.length).toBeGreaterThan(8);
    for (const { path, method, body } of operations) {
      const slug = path.includes("use-cases") ? "triage" : "echo";
      const named = path.replace("{slug}", slug).replace("{configuration_id}", configuration_id);
      const told = starting[path] ?? body;
      await world.ask(named.replace(/\{\w+\}/g, crypto.randomUUID()), {
        ...{ method, as: poor, headers: { "idempotency-key": freshKey() } },
        ...(told !== undefined && { body: told }),
      });
    }
    await world.idle();
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    expect(await world.count("transfers")).toBe(1);
  });

  test("by any tool, nor is one listed for it", async () => {
    const tools = await toolsOf(world, firm.key);
    expect(await toolNames(world, poor)).not.toContain("echo_text");
    for (const { name } of tools) await callTool(world, poor, name, { text: "hello" }).catch(() => undefined);
    await world.idle();
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    expect(await world.count("transfers")).toBe(1);
  });

  test("by anything that starts a run internally, however it was authorised", async () => {
    const principal = await world.app.parts.identity.byApiKey(poor);
    if (!principal) throw new Error("the key is known");
    const { acceptance } = world.app.parts;
    const plan = {
      ...{ kind: "capability" as const, slug: "echo", semantic_version: "1.0.0", blocker: () => null, trial: null },
      ...{
        spending: runScopes,
        steps: [{ key: "echo", capability: "echo", title: "Echo", maximum_credits: 500, requires_approval: false }],
      },
    };
    const asked = {
      principal,
      slug: plan.slug,
      plan: () => plan,
      input: {},
      mode: "live" as const,
      workspace_id: firm.workspaces[0],
      surface: "rest",
      operation: "new",
    };
    await expect(acceptance.accept(asked)).rejects.toMatchObject({ code: "missing_scope" });
    expect(await world.count("runs")).toBe(0);
  });

  test("while free operations require only their own scope", async () => {
    expect(await toolNames(world, poor)).toContain("check_answer");
  });
});

describe("a use case's run", () => {
  test("belongs to the requested workspace if it is the caller's", async () => {
    const owner = firm.people.owner.token;
    const [, second] = firm.workspaces;
    const run = await world.accepted(firm, { useCase: "triage", as: owner, with: { workspace_id: second } });
    expect(run.workspace_id).toBe(second);
    const foreign = { useCase: "triage", as: firm.key, with: { workspace_id: second } };
    expect(await refusal(await world.start(firm, foreign))).toEqual([404, "not_found"]);
  });
});
