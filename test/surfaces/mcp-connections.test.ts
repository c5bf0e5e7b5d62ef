import { afterAll, describe, expect, test } from "bun:test";
import { present } from "../../src/platform/assert.ts";
import { type Firm, refusal, World } from "../support/harness.ts";
import { acceptsBoth, callTool, mcpCatalogue, messagesIn, post, type Result, toolNames } from "../support/mcp-world.ts";
import { connected, register, signedIn } from "../support/oauth-world.ts";

const { capabilities } = mcpCatalogue();
const world = await World.open(undefined, { capabilities });
await world.openGates("company-intelligence");
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

interface Connection {
  readonly id: string;
  readonly url: string;
}

/** Creates a personal connection of a firm's owner. */
async function connect(of: Firm, name: string): Promise<Connection> {
  const body = { name, workspace_id: of.workspaces[0] };
  const answer = await world.ask("/v1/developer/connections", { as: of.people.owner.token, body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Connection;
}

/** Sends a request to the address of a personal connection, without any other credential. */
const at = ({ url }: Connection, method: string, params: unknown = {}) =>
  world.ask(url.replace("http://assay.test", ""), {
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: acceptsBoth,
  });

async function answered(connection: Connection, method: string, params: unknown = {}): Promise<Result> {
  const found = (await messagesIn(await at(connection, method, params))).find(({ id }) => id === 1);
  return present(found?.result, `an answer to ${method}`);
}

describe("a personal connection", () => {
  test("opens the documentation's tools by its address alone", async () => {
    const mine = await connect(firm, "laptop");
    const { tools } = await answered(mine, "tools/list");
    expect(tools?.map(({ name }) => name)).toContain("list_docs");
    const { content } = await answered(mine, "tools/call", { name: "get_doc", arguments: { slug: "mcp" } });
    expect(content?.[0]?.text).toContain("Slug: mcp\n");
    expect(world.logged.join("\n")).not.toContain(new URL(mine.url).searchParams.get("token") ?? "no token");
  });

  test("is refused the company analysis, whatever its scopes", async () => {
    const mine = await connect(firm, "analysis");
    const params = { name: "analyze_company_url", arguments: { company_url: "https://example.com/" } };
    const { isError, content } = await answered(mine, "tools/call", params);
    expect(isError).toBe(true);
    expect(content?.[0]?.text).toContain('"code":"api_key_required"');
  });

  test("is told which missing scopes a tool needs", async () => {
    const mine = await connect(firm, "scopes");
    const answer = await at(mine, "tools/call", { name: "echo_text", arguments: { text: "hello" } });
    expect(answer.headers.get("www-authenticate")).toMatch(/scope="[^"]*docs:read[^"]*account:read/);
    expect(await refusal(answer)).toEqual([403, "missing_scope"]);
  });

  test("has its calls counted under its own name, for its owner only", async () => {
    const other = await world.firm();
    const theirs = await connect(other, "counted");
    await answered(theirs, "tools/call", { name: "list_docs", arguments: {} });
    await answered(theirs, "tools/call", { name: "get_doc", arguments: { slug: "nothing" } });
    const summary = async (of: Firm) => {
      const answer = await world.ask("/v1/developer/usage/summary", { as: of.people.owner.token });
      return (await answer.json()) as { by_key: { key_id: string }[] };
    };
    expect((await summary(other)).by_key).toEqual([
      expect.objectContaining({ key_id: theirs.id, name: "counted", calls: 2, errors: 1 }),
    ]);
    expect((await summary(firm)).by_key.map(({ key_id }) => key_id)).not.toContain(theirs.id);
  });

  test("is 401 for the next request after it is revoked", async () => {
    const mine = await connect(firm, "gone");
    expect((await at(mine, "ping")).status).toBe(200);
    await world.ask(`/v1/developer/connections/${mine.id}`, { method: "DELETE", as: firm.people.owner.token });
    expect(await refusal(await at(mine, "ping"))).toEqual([401, "invalid_api_key"]);
  });

  test("opens nothing but /mcp", async () => {
    const token = new URL((await connect(firm, "elsewhere")).url).searchParams.get("token") ?? "";
    expect(await refusal(await world.ask("/v1/runs", { as: token }))).toEqual([401, "invalid_api_key"]);
  });
});

describe("an application authorised by OAuth", () => {
  const allowed = ["docs:read", "account:read", "runs:read", "capabilities:run"];

  test("sees the tools of its scopes, runs one in its workspace, and reads the run", async () => {
    const cookie = await signedIn(world, firm.people.owner);
    const { access_token } = await connected(world, cookie, await register(world), { scopes: allowed });
    const names = await toolNames(world, access_token);
    expect(names).toContain("echo_text");
    expect(names).not.toContain("check_answer");
    expect(names).not.toContain("analyze_company_url");
    const { value } = await callTool(world, access_token, "echo_text", { text: "hello" });
    expect(value).toMatchObject({ status: "succeeded", charged_credits: 500 });
    expect((await callTool(world, access_token, "get_run", { run_id: value.run_id })).value.status).toBe("succeeded");
    expect((await world.run(firm, String(value.run_id))).workspace_id).toBe(firm.workspaces[0]);
  });

  test("can't use its token with the rest of the API, nor a session's token here", async () => {
    const cookie = await signedIn(world, firm.people.owner);
    const { access_token } = await connected(world, cookie, await register(world), { scopes: allowed });
    expect(await refusal(await world.ask("/v1/runs", { as: access_token }))).toEqual([401, "invalid_api_key"]);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect(await refusal(await post(world, firm.people.owner.token, ping))).toEqual([401, "invalid_api_key"]);
  });
});
