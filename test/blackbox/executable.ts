import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { bodyOf } from "../../src/cli/client/http.ts";
import { minute } from "../../src/platform/clock.ts";
import { Run } from "../../src/runs/schema.ts";
import { ended } from "../crash/load.ts";
import { assay, benchKeys, demoKeys, endServers, type ServerProcess, startServer, temporaryFolder } from "./server.ts";

/**
 * What only the compiled executable can show: whether validation works under the compiler's flags, and whether
 * everything that it serves is embedded. UNDER_TEST names it; without it, the sources are tested in the same way.
 */

setDefaultTimeout(10 * minute);

const folder = temporaryFolder("blackbox");
const data = join(folder.path, "data");
let server: ServerProcess;
let baseUrl = "";

beforeAll(async () => {
  server = startServer(data);
  baseUrl = await server.ready;
});

afterAll(async () => {
  await endServers();
  folder.dispose();
});

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const codeOf = async (response: Response): Promise<string | undefined> => {
  const body: { error?: { code?: string } } = JSON.parse(await response.text());
  return body.error?.code;
};

const startRun = (slug: string, apiKey: string, key: string, body: unknown): Promise<Response> =>
  fetch(`${baseUrl}/v1/capabilities/${slug}/runs`, {
    method: "POST",
    headers: { ...bearer(apiKey), "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });

/** A question from the demo's first firm; the second sentence of the answer contradicts its source. */
const question = {
  question: "What does the bicycle insurance cover?",
  answer: "Theft of the insured bicycle is covered up to CZK 40,000. Wear and tear is covered as well.",
  sources: ["Theft of the insured bicycle is covered up to CZK 40,000.", "Wear and tear is not covered."],
};

async function finishedRun(): Promise<Run> {
  const apiKey = demoKeys(data).all;
  const response = await startRun("exa-filter", apiKey, crypto.randomUUID(), { input: question });
  expect(response.status).toBe(202);
  return ended(baseUrl, apiKey, bodyOf(Run, await response.text()).id, 60_000);
}

test("health and readiness respond", async () => {
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  expect((await fetch(`${baseUrl}/ready`)).status).toBe(200);
});

test("a query over its maximum is refused", async () => {
  const over = await fetch(`${baseUrl}/v1/docs/search?q=credits&limit=99`);
  expect(over.status).toBe(422);
  expect(await codeOf(over)).toBe("validation_error");
  expect((await fetch(`${baseUrl}/v1/docs/search?q=credits&limit=25`)).status).toBe(200);
});

test("an unknown property of a body is refused, not stripped", async () => {
  const response = await startRun("exa-filter", demoKeys(data).all, "unknown-property", { input: question, extra: 1 });
  expect(response.status).toBe(422);
});

test("no key, an unknown key, an expired and a revoked one are refused alike", async () => {
  const { expired, revoked } = demoKeys(data);
  for (const headers of [{}, bearer("assay_sk_nonsense"), bearer(expired), bearer(revoked)]) {
    const response = await fetch(`${baseUrl}/v1/runs`, { headers });
    expect({ status: response.status, code: await codeOf(response) }).toEqual({ status: 401, code: "invalid_api_key" });
  }
});

test("a run of an embedded engine succeeds, and its receipt verifies with the public keys alone", async () => {
  const run = await finishedRun();
  expect(run.status).toBe("succeeded");
  const env = { ASSAY_BASE_URL: baseUrl, ASSAY_API_KEY: demoKeys(data).all };
  const receipt = join(folder.path, "receipt.jws");
  expect(await assay(["receipt", "get", run.id, "--output", receipt], { env })).toMatchObject({ code: 0 });
  const jwks = `${baseUrl}/.well-known/jwks.json`;
  const verified = await assay(["receipt", "verify", receipt, "--jwks", jwks, "--json"]);
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining(run.id) });

  const text = await Bun.file(receipt).text();
  writeFileSync(
    receipt,
    text.replace(/\.(.)/, (_, first) => (first === "e" ? ".f" : ".e")),
  );
  expect(await assay(["receipt", "verify", receipt, "--jwks", jwks])).toMatchObject({ code: 1, out: "" });
});

test("long texts, questions and expensive inputs are computed in threads, which are embedded", async () => {
  const apiKey = demoKeys(data).all;
  const finished = async (slug: string, input: unknown) => {
    const response = await startRun(slug, apiKey, crypto.randomUUID(), { input });
    const run = await ended(baseUrl, apiKey, bodyOf(Run, await response.text()).id, 60_000);
    return [run.status, run.status_reason?.code ?? null, run.charges.charged_credits];
  };
  const long = { ...question, answer: `${question.answer} `.repeat(100) };
  expect(await finished("exa-filter", long)).toEqual(["succeeded", null, 0]);
  const advice = { question: "Is it?", answer: ".".repeat(20_000), check: "full" };
  expect(await finished("afa-assurance", advice)).toEqual(["succeeded", null, 0]);
  const costly = { ...question, answer: "ab\n".repeat(6_666), sources: Array<string>(50).fill("ab\n".repeat(666)) };
  expect(await finished("exa-filter", costly)).toEqual(["failed", "input_too_costly", 0]);
  const asked = await fetch(`${baseUrl}/v1/insurance/ask`, {
    method: "POST",
    headers: { ...bearer(apiKey), "content-type": "application/json" },
    body: JSON.stringify({ question: "Jaká je spoluúčast při odcizení vozidla?", country: "CZ" }),
  });
  expect(asked.status).toBe(200);
});

test("a run is charged its step's cost, once, however often it is requested", async () => {
  const [apiKey = ""] = benchKeys(data);
  const ask = () => startRun("bench-noop", apiKey, "charged-once", { input: { payload: "x" } });
  const first = bodyOf(Run, await (await ask()).text());
  const run = await ended(baseUrl, apiKey, first.id, 60_000);
  expect(run.charges).toMatchObject({ maximum_credits: 500, charged_credits: 350, released_credits: 150 });
  const again = await ask();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(bodyOf(Run, await again.text()).id).toBe(first.id);
});

test("docs, reference and OpenAPI are embedded in the executable", async () => {
  const openapi: { openapi?: string; info?: { version?: string } } = JSON.parse(
    await (await fetch(`${baseUrl}/openapi-public.json`)).text(),
  );
  expect(openapi.info?.version).toBe("0.3.0");
  expect(await (await fetch(`${baseUrl}/llms.txt`)).text()).toContain("/v1/capabilities");
  for (const path of ["/v1/docs", "/v1/capabilities", "/v1/use-cases", "/docs"])
    expect({ path, status: (await fetch(baseUrl + path)).status }).toEqual({ path, status: 200 });
});

test("the command line prints its version, and exits with the documented codes", async () => {
  const told = await assay(["version", "--json"]);
  expect(JSON.parse(told.out)).toMatchObject({ version: manifest.version });
  const env = { ASSAY_BASE_URL: baseUrl, XDG_CONFIG_HOME: folder.path };
  expect(await assay(["no-such-command"], { env })).toMatchObject({ code: 2, out: "" });
  expect(await assay(["runs", "list"], { env: { ...env, ASSAY_API_KEY: "assay_sk_nonsense" } })).toMatchObject({
    code: 3,
  });
  expect(await assay(["capabilities", "list", "--json"], { env })).toMatchObject({ code: 0, err: "" });
});

test.skipIf(!process.env.UNDER_TEST)("Bun's own files in the working folder have no effect", async () => {
  writeFileSync(join(folder.path, ".env"), "ASSAY_PORT=not-a-port\nASSAY_NO_SUCH=1\n");
  writeFileSync(join(folder.path, "bunfig.toml"), 'preload = ["./no-such-file.ts"]\n');
  expect(await assay(["verify", "--data", data], { cwd: folder.path })).toMatchObject({ code: 0 });
});

test("a second server on the same folder is refused, with advice", async () => {
  const second = await assay(["serve", "--demo", "--data", data, "--port", "0"]);
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining("--data") });
});

test("SIGTERM stops it cleanly; the file verifies, and a later start has all data", async () => {
  const run = await finishedRun();
  expect(await server.end("SIGTERM")).toBe(0);
  const verified = await assay(["verify", "--data", data, "--json"]);
  expect({ code: verified.code, told: JSON.parse(verified.out) }).toMatchObject({ code: 0, told: { ok: true } });
  server = startServer(data);
  baseUrl = await server.ready;
  const later = await ended(baseUrl, demoKeys(data).all, run.id, 60_000);
  expect({ ...later, links: null, receipt_url: null }).toEqual({ ...run, links: null, receipt_url: null });
});
