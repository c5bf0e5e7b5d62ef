import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../../src/accounts/admin/firms.ts";
import { createApiKey } from "../../src/accounts/admin/keys.ts";
import { switchGate } from "../../src/accounts/admin/permissions.ts";
import { createUser } from "../../src/accounts/admin/users.ts";
import { type App, createApp } from "../../src/app.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import type { DocDetail, DocSummary } from "../../src/surfaces/docs/schema.ts";
import { until } from "../support/harness.ts";
import { testRuntime } from "../support/runtime.ts";
import { testServices } from "../support/services.ts";

/** The real catalogue, whose published examples are sent as a reader would send them. */
let app: App;
let store: Store;
let folder: string;
const variables: Record<string, string> = {};

const scopes = ["capabilities:run", "use-cases:run", "runs:read", "account:read", "validator:run"];
const runtime = testRuntime();
const act = { actor: "operator", at: 0, runtime };

async function reader(): Promise<string> {
  return store.write(async (tx) => {
    const firm = await createFirm(tx, act, { name: "Reader" });
    await grantCredits(tx, act, { firm_id: firm.id, credits: 1_000, reason: "to follow the guides" });
    const workspace = await createWorkspace(tx, act, firm.id, { name: "First" });
    const user = await createUser(tx, act, { firm_id: firm.id, role: "owner", email: "reader@example.com" });
    const holder = { firm_id: firm.id, workspace_id: workspace.id, user_id: user.id };
    return (await createApiKey(tx, act, { ...holder, name: "reader", scopes, expires_at: null })).secret;
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-examples-"));
  store = openStore(join(folder, "assay.db"));
  await migrate(store);
  app = await createApp({
    store,
    runtime,
    log: createLog(systemRuntime, "error"),
    masterKey: new Uint8Array(32).fill(7),
    baseUrl: "http://assay.test",
    bodyLimit: 65_536,
    capabilities,
    useCases,
    stepEngines: {},
    services: testServices({}, store),
  });
  await store.write(async (tx) => {
    for (const name of ["platform", ...capabilities.map(({ slug }) => slug)]) await switchGate(tx, act, name, true);
  });
  variables.KEY = await reader();
});
afterAll(async () => {
  await app.stop(0);
  await store.close();
  rmSync(folder, { recursive: true });
});

const pageOf = async (slug: string): Promise<DocDetail> =>
  (await (await app.fetch(new Request(`http://assay.test/v1/docs/${slug}`))).json()) as DocDetail;

/** Returns a page's curl requests to this installation, in order; a response may be stored in a variable. */
async function requestsOf(slug: string): Promise<string[]> {
  const { body_markdown } = await pageOf(slug);
  const blocks = [...body_markdown.matchAll(/^```sh[^\n]*\n(.*?)^```/gms)].map(([, block = ""]) => block);
  return (
    blocks
      // A body in quotes may have lines of its own.
      .flatMap((block) => block.replaceAll("\\\n", " ").match(/^(?:\w+=\$\()?curl (?:[^'\n]|'[^']*')*/gm) ?? [])
      .filter((command) => command.includes('"$ASSAY'))
  );
}

/** Sends the request of a curl line, with its method, headers, body and address. */
async function send(line: string): Promise<Response> {
  const filled = (text: string) =>
    text
      .replace(/\$\(od [^)]*\)/g, () => crypto.randomUUID())
      .replace(/\$([A-Z]+)/g, (_, name: string) => (name === "ASSAY" ? "http://assay.test" : (variables[name] ?? "")));
  const headers = [...line.matchAll(/-H "([^"]+)"/g)].map(([, header = ""]) => filled(header).split(/: /, 2));
  const body = /-d '(.*)'/s
    .exec(line)?.[1]
    // A variable stands outside the single quotes.
    ?.replace(/'"(\$[A-Z]+)"'/g, (_, name: string) => filled(name))
    .replaceAll("'\\''", "'");
  const method = /-X (\w+)/.exec(line)?.[1] ?? "GET";
  const url = present(/"(\$ASSAY[^"]*)"/.exec(line)?.[1], "an address");
  const sent = Object.fromEntries(headers) as Record<string, string>;
  return app.fetch(new Request(filled(url), { method, headers: sent, ...(body !== undefined && { body }) }));
}

test("the quick start works as written, from exploring to the receipt", async () => {
  const [look, inspect, run, poll, receipt, credits, ...others] = (await requestsOf("quickstart")) as [
    string,
    ...string[],
  ];
  expect(others).toEqual([]);
  expect(await (await send(look)).text()).toContain('"slug":"exa-filter"');
  expect(await (await send(inspect ?? "")).json()).toMatchObject({ slug: "exa-filter", runnable: true });
  const accepted = await send(run ?? "");
  expect(accepted.status).toBe(202);
  variables.RUN = ((await accepted.json()) as { id: string }).id;
  let status = "";
  await until(async () => {
    status = ((await (await send(poll ?? "")).json()) as { status: string }).status;
    return ["succeeded", "failed", "refused"].includes(status);
  }, "the run has ended");
  expect(status).toBe("succeeded");
  expect((await send(receipt ?? "")).headers.get("content-type")).toBe("application/jose");
  expect((await send(credits ?? "")).status).toBe(200);
});

test("the guide to the validator creates an audience and starts a validation with it", async () => {
  const [create = "", start = ""] = await requestsOf("validator");
  const created = (await (await send(create)).json()) as { audience_id: string };
  variables.AUDIENCE = created.audience_id;
  const started = await send(start);
  expect({ status: started.status, body: await started.json() }).toMatchObject({
    status: 202,
    body: { simulation_id: expect.any(String) },
  });
});

test("every other request shown in the documentation is valid", async () => {
  const list = (await (await app.fetch(new Request("http://assay.test/v1/docs"))).json()) as DocSummary[];
  const slugs = list.map((page) => page.slug).filter((slug) => slug !== "quickstart");
  let sent = 0;
  for (const slug of slugs)
    for (const line of await requestsOf(slug)) {
      const response = await send(line);
      const { error } = (await response.json()) as { error?: { code: string } };
      // A capability without an engine in this release refuses a valid run, and a gated one refuses this reader's.
      const expected = [undefined, "capability_runs_disabled", "missing_scope"];
      expect({ slug, line, valid: expected.includes(error?.code) }).toEqual({ slug, line, valid: true });
      sent++;
    }
  expect(sent).toBeGreaterThan(5);
});

test("every address for a capability's documentation, support and changes is a page", async () => {
  for (const { documentation_url, support_url, changelog_url } of capabilities)
    for (const url of [documentation_url, support_url, changelog_url])
      expect({ url, status: (await app.fetch(new Request(`http://assay.test${url}`))).status }).toEqual({
        url,
        status: 200,
      });
});
