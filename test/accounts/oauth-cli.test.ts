import { afterAll, beforeAll, expect, test } from "bun:test";
import { Installation, type Serving } from "../support/operator.ts";

const here = new Installation();
let server: Serving;
let token: string;
beforeAll(async () => {
  await here.init();
  server = await here.serve();
  const made = await here.json<{ access_token: string }>(
    "admin",
    "users",
    "token",
    "owner@acme.test",
    "--base-url",
    server.url,
  );
  token = made.access_token;
});
afterAll(() => here[Symbol.asyncDispose]());

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("an operator lists and shows clients, and removes one while the server runs", async () => {
  const metadata = { client_name: "Editor", redirect_uris: ["http://127.0.0.1/callback"] };
  const { client_id } = (await (await send("/oauth/register", metadata)).json()) as { client_id: string };
  const list = () => here.json<{ client_id: string; connections: number }[]>("admin", "oauth-clients", "list");
  expect(await list()).toMatchObject([{ client_id, connections: 0, last_used_at: null }]);
  expect(await here.json<object>("admin", "oauth-clients", "show", client_id)).toMatchObject({
    client_name: "Editor",
    redirect_uris: ["http://127.0.0.1/callback"],
  });
  const told = await here.run("admin", "oauth-clients", "show", client_id);
  expect(told.out).toContain("http://127.0.0.1/callback");
  expect(await here.json<object>("admin", "oauth-clients", "remove", client_id)).toEqual({
    ...{ client_id, removed: true, connections_ended: 0 },
  });
  expect(await list()).toEqual([]);
  const again = await here.run("admin", "oauth-clients", "remove", client_id);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("there is no client")]);
  const gone = await fetch(`${server.url}/oauth/authorize?client_id=${client_id}`);
  expect(gone.status).toBe(400);
});

test("an operator lists a firm's connections, and revokes one with immediate effect", async () => {
  const bearer = { authorization: `Bearer ${token}` };
  const workspaces = await fetch(`${server.url}/v1/developer/workspaces`, { headers: bearer });
  const [workspace] = (await workspaces.json()) as { id: string }[];
  const made = await send("/v1/developer/connections", { name: "Desk", workspace_id: workspace?.id }, bearer);
  const { id, url } = (await made.json()) as { id: string; url: string };
  const list = () => here.json<{ id: string; revoked_at: string | null }[]>("admin", "connections", "list");
  expect(await list()).toMatchObject([{ id, kind: "personal", user: "owner@acme.test", revoked_at: null }]);
  const { out } = await here.run("admin", "connections", "list");
  expect(out).toContain("Desk");
  expect(out).not.toContain("assay_pc_");
  expect(await here.json<object>("admin", "connections", "revoke", id)).toEqual({ id, revoked: true });
  expect((await here.run("admin", "connections", "revoke", id)).code).toBe(2);
  expect((await list())[0]?.revoked_at).toBeString();
  const refused = await fetch(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  expect(refused.status).toBe(401);
  expect(server.log()).not.toContain("assay_pc_");
});
