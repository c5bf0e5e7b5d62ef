import { afterAll, describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { grantableScopes } from "../../src/contracts/scopes.ts";
import { present } from "../../src/platform/assert.ts";
import { minute } from "../../src/platform/clock.ts";
import { errorIn, refusal, World } from "../support/harness.ts";
import { callTool, mcpCatalogue, post, rpc } from "../support/mcp-world.ts";

const { capabilities } = mcpCatalogue();
const world = await World.open(undefined, { capabilities });
await world.openGates("exa-filter");
const firm = await world.firm();
const other = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const keyWith = async (...scopes: string[]) => (await world.key(firm, scopes)).secret;
const docsOnly = await keyWith("docs:read");

describe("calls are metered", () => {
  test("by key and tool, with errors and credits", async () => {
    const metered = await world.firm();
    const key = (
      await world.key(
        metered,
        grantableScopes.filter((scope) => !scope.startsWith("dist") && !scope.startsWith("market")),
      )
    ).secret;
    const { value } = await callTool(world, key, "echo_text", { text: "hello" });
    await callTool(world, key, "get_run", { run_id: value.run_id });
    await callTool(world, key, "list_docs");
    await callTool(world, key, "get_doc", { slug: "nothing" });
    await rpc(world, key, "tools/list");
    await rpc(world, key, "tools/call", { name: "nothing", arguments: {} });
    const answer = await world.ask("/v1/developer/usage/summary", { as: metered.people.owner.token });
    const told = (await answer.json()) as { calls_total: number; by_key: unknown[]; by_tool: unknown[] };
    expect(told.calls_total).toBe(4);
    expect(told.by_key).toEqual([expect.objectContaining({ name: "further", calls: 4, errors: 1 })]);
    expect(told.by_tool).toEqual([
      { tool: "echo_text", calls: 1, errors: 0, credits: 500 },
      { tool: "get_doc", calls: 1, errors: 1, credits: 0 },
      { tool: "get_run", calls: 1, errors: 0, credits: 0 },
      { tool: "list_docs", calls: 1, errors: 0, credits: 0 },
    ]);
    const theirs = await world.ask("/v1/developer/usage/summary", { as: other.people.owner.token });
    expect(((await theirs.json()) as { by_tool: { tool: string }[] }).by_tool.map(({ tool }) => tool)).not.toContain(
      "list_docs",
    );
  });

  test("without logging any input", async () => {
    await callTool(world, firm.key, "echo_text", { text: "a-secret-of-the-caller" });
    expect(world.logged.join("\n")).not.toContain("a-secret-of-the-caller");
    const rows = await unscoped(world.store.read).selectFrom("tool_days").select("tool").distinct().execute();
    expect(rows.map(({ tool }) => tool)).toContain("echo_text");
  });
});

describe("the credential", () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

  test("if missing is 401, with where to get one and the scopes", async () => {
    const answer = await post(world, undefined, ping);
    const asked = present(answer.headers.get("www-authenticate"), "a challenge");
    expect(asked).toContain('resource_metadata="http://assay.test/.well-known/oauth-protected-resource/mcp"');
    expect(asked).toMatch(/scope="docs:read [^"]*exa:validate/);
    expect(asked).not.toContain("error=");
    expect(await refusal(answer)).toEqual([401, "invalid_api_key"]);
  });

  test("if invalid is 401 invalid_token, as is a session's", async () => {
    world.clock.advance(minute);
    for (const wrong of ["garbage", "", firm.people.owner.token, world.tokenOf(firm.people.owner.id)]) {
      const answer = await post(world, wrong, ping);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
      expect(await refusal(answer)).toEqual([401, "invalid_api_key"]);
    }
    const basic = await post(world, undefined, ping, { authorization: `Basic ${firm.key}` });
    expect(await refusal(basic)).toEqual([401, "invalid_api_key"]);
  });

  test("without the tool's scope is 403, with the granted and the missing scopes", async () => {
    const params = { name: "check_answer", arguments: {} };
    const answer = await post(world, docsOnly, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const asked = present(answer.headers.get("www-authenticate"), "a challenge");
    expect(asked).toContain('error="insufficient_scope"');
    expect(asked).toContain('scope="docs:read account:read exa:validate"');
    const { code, details } = await errorIn(answer);
    expect([answer.status, code]).toEqual([403, "missing_scope"]);
    const lacks = ["account:read", "exa:validate"].map((scope) => `needs the scope ${scope}`);
    expect(details?.map(({ message }) => message)).toEqual(lacks);
    const page = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "assay://docs/quickstart" } };
    expect(await refusal(await post(world, await keyWith("runs:read"), page))).toEqual([403, "missing_scope"]);
  });

  test("is 429 after too many invalid ones from one address", async () => {
    world.clock.advance(minute);
    for (let n = 0; n < 200; n++) await post(world, "garbage", ping);
    expect(await refusal(await post(world, "garbage", ping))).toEqual([429, "rate_limit_exceeded"]);
    world.clock.advance(minute);
    expect((await post(world, firm.key, ping)).status).toBe(200);
  });

  test("is refused by the next request after it is revoked or expires", async () => {
    const key = await world.key(firm, ["docs:read"], { expires_at: world.clock.now() + minute });
    expect((await post(world, key.secret, ping)).status).toBe(200);
    world.clock.advance(minute);
    expect((await errorIn(await post(world, key.secret, ping))).code).toBe("invalid_api_key");
  });
});
