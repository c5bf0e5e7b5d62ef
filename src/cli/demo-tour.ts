#!/usr/bin/env bun
import { parseArgs } from "node:util";
import { Credits } from "../accounts/usage/schema.ts";
import { type ExaFilterInput, ExaFilterOutput } from "../products/capabilities/exa-filter/schema.ts";
import { CapabilityDetail, CapabilityList } from "../products/catalogue/schema.ts";
import { Quote } from "../products/use-cases/schema.ts";
import { Run } from "../runs/schema.ts";
import { printVerdict } from "./client/check.ts";
import { type Api, bodyOf, conforms, createApi } from "./client/http.ts";
import { verifyReceipt } from "./client/receipt.ts";
import { printQuote } from "./client/run.ts";
import { failUnlessSucceeded } from "./client/runs.ts";
import { credits, facts, outline, paint, printLines, table, wrap } from "./client/screen.ts";
import { waitForRun } from "./client/wait.ts";
import { type DemoCredentials, readDemoCredentials } from "./demo-credentials.ts";
import { type DemoServer, findPort, startDemo } from "./demo-server.ts";
import { CommandError, type Io, processIo } from "./io.ts";

/**
 * `bun run demo`: starts the demo server, takes one real run through the product loop (discover, inspect, quote, run,
 * reconcile) and keeps serving until Ctrl-C. `--exit` stops it after the tour.
 */

/** A made-up example. The second sentence of the answer contradicts its source. */
const example: ExaFilterInput = {
  question: "What does the bicycle insurance cover?",
  answer:
    "Theft of the insured bicycle is covered up to CZK 40,000. Damage caused by wear and tear is covered as well.",
  sources: [
    "Theft of the insured bicycle is covered up to CZK 40,000. The bicycle must have been locked.",
    "Damage caused by wear and tear is not covered.",
  ],
  country: "CZ",
};

const marketEntry = {
  company_url: "https://example.com/",
  product_category: "Bicycle insurance",
  target_adviser_icp: "Independent insurance advisers with private customers in cities.",
  candidate_markets: ["CZ", "SK"],
  value_proposition: "Cover for bicycles that is concluded at the shop's counter within two minutes.",
};

interface Walk {
  readonly io: Io;
  readonly api: Api;
}

function step(io: Io, number: number, title: string, why: string): void {
  io.out("");
  io.out(paint(io, "bold", `${number}. ${title}`));
  printLines(io, wrap(why, io.columns));
}

/** Wraps an API to print each request. A repeated request, such as a poll, is printed once. */
function shown(io: Io, api: Api): Api {
  const seen = new Set<string>();
  return {
    ...api,
    request(method, path, call) {
      const line = `${method} ${path}`;
      if (!seen.has(line)) printLines(io, ["", paint(io, "dim", `→ ${line}`)]);
      seen.add(line);
      return api.request(method, path, call);
    },
  };
}

async function discover({ io, api }: Walk): Promise<void> {
  step(
    io,
    1,
    "Discover",
    "What is available for the Czech market? Being able to find a capability does not mean being able to run it.",
  );
  const { items } = bodyOf(CapabilityList, await api.request("GET", "/v1/capabilities?country=CZ"));
  const columns = [
    { title: "capability", cell: (item: CapabilityList["items"][number]) => item.slug },
    { title: "runnable", cell: (item: CapabilityList["items"][number]) => (item.runnable ? "yes" : "no") },
    { title: "outcome", cell: (item: CapabilityList["items"][number]) => item.outcome },
  ];
  printLines(io, table(io, columns, items));
}

async function inspect({ io, api }: Walk): Promise<void> {
  step(io, 2, "Inspect", "The contract of one capability: version, price, permissions, evidence, limitations.");
  const item = bodyOf(CapabilityDetail, await api.request("GET", "/v1/capabilities/exa-filter"));
  printLines(
    io,
    facts(io, [
      ["what", `${item.name} ${item.semantic_version}: ${item.outcome}`],
      ["price", `${credits(item.pricing.live_credits)} a run (${item.pricing.model})`],
      ["permissions", item.required_scopes.rest.join(" ")],
      ["evidence", item.evidence_freshness],
      ["limitation", item.limitations[0] ?? null],
    ]),
  );
}

async function quote({ io, api }: Walk): Promise<void> {
  step(io, 3, "Quote", "The maximum price of a use case before anyone approves it. Free; nothing is reserved.");
  const call = { body: { input: marketEntry } };
  printQuote(io, bodyOf(Quote, await api.request("POST", "/v1/use-cases/european-market-entry-pack/quote", call)));
}

async function run({ io, api }: Walk): Promise<string> {
  step(io, 4, "Run", "One explicit request under a fresh idempotency key: is this answer supported by its sources?");
  printLines(io, ["", ...facts(io, [["answer", example.answer], ...sourcesOf(example)])]);
  const key = io.runtime.id();
  const call = { body: { input: example }, headers: { "idempotency-key": key } };
  const started = bodyOf(Run, await api.request("POST", "/v1/capabilities/exa-filter/runs", call));
  printLines(
    io,
    facts(io, [
      ["key", `Idempotency-Key: ${key}`],
      ["accepted", `run ${started.id}, ${started.status}`],
    ]),
  );
  return started.id;
}

const sourcesOf = ({ sources = [] }: ExaFilterInput) =>
  sources.map((text, index) => [`source ${index + 1}`, text] as const);

async function reconcile({ io, api }: Walk, id: string): Promise<void> {
  step(io, 5, "Reconcile", "Poll the run until it has finished, then show its result, charges and receipt.");
  const { run } = await waitForRun(api, { ...io, err: () => {} }, id);
  failUnlessSucceeded(run);
  if (conforms(ExaFilterOutput, run.result)) printVerdict(io, run.result);
  else printLines(io, outline(run.result, io.columns));

  const account = bodyOf(Credits, await api.request("GET", "/v1/credits?limit=1"));
  const { charges, engine } = run;
  printLines(
    io,
    facts(io, [
      [
        "charged",
        `${credits(charges.charged_credits)} of at most ${charges.maximum_credits}, ${charges.released_credits} released`,
      ],
      ["balance", `${credits(account.balance.available)} available`],
    ]),
  );

  const receipt = await api.request("GET", `/v1/runs/${id}/receipt`);
  const keys = await api.request("GET", "/.well-known/jwks.json");
  const { keyId } = await verifyReceipt(receipt, JSON.parse(keys));
  printLines(
    io,
    facts(io, [
      ["receipt", `valid: ES256, key ${keyId}, verified with the public keys only`],
      ["engine", engine && `${engine.name} ${engine.version}`],
    ]),
  );
}

/** Returns the URLs of the pages that this server has. */
async function pagesOf(api: Api): Promise<string[]> {
  const found = ["/console", "/sign-in", "/docs", "/llms.txt", "/openapi-public.json"].map(async (path) => {
    const { ok } = await fetch(api.baseUrl + path, { method: "HEAD", keepalive: false });
    return ok ? [api.baseUrl + path] : [];
  });
  return (await Promise.all(found)).flat();
}

async function tryNext({ io, api }: Walk, { file, owner }: DemoCredentials): Promise<void> {
  const read = `JSON.parse(require("fs").readFileSync("${file}","utf8")).firms[0].keys.all`;
  const baseUrl = api.baseUrl === "http://127.0.0.1:8787" ? [] : [`export ASSAY_BASE_URL=${api.baseUrl}`];
  io.out("");
  // Someone who ran npx has no `bun` command.
  io.out(`If Bun is not installed, replace \`bun\` below with \`npx --yes bun@${Bun.version}\`.`);
  io.out(paint(io, "bold", "What to try next, in another terminal"));
  printLines(io, [
    `export ASSAY_API_KEY=$(bun -p '${read}')`,
    ...baseUrl,
    `curl -s -H "Authorization: Bearer $ASSAY_API_KEY" ${api.baseUrl}/v1/credits`,
    "bun src/main.ts capabilities list",
    "bun src/main.ts quote validate-before-shipping --set market=CZ --set hypothesis='Cyclists buy theft cover at the shop'",
    "bun src/main.ts runs list --limit 5",
    "bun src/main.ts usage",
  ]);
  const pages = await pagesOf(api);
  const signIn = owner ? [`sign in as ${owner.email} with ${owner.password}`] : [];
  if (pages.length > 0) printLines(io, ["", paint(io, "bold", "In the browser"), ...pages, ...signIn]);
  printLines(io, ["", `Passwords and more keys: ${file}`]);
}

async function walk(io: Io, server: DemoServer): Promise<void> {
  const credentials = await readDemoCredentials(server.data);
  const credential = { secret: credentials.key, origin: credentials.file };
  const api = shown(io, createApi(io, { baseUrl: server.baseUrl, credential, credentialHint: "Restart the demo." }));
  await discover({ io, api });
  await inspect({ io, api });
  await quote({ io, api });
  await reconcile({ io, api }, await run({ io, api }));
  await tryNext({ io, api }, credentials);
}

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. */
const askedToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });

const usage =
  "Usage: bun run demo [--data FOLDER] [--port NUMBER] [--exit]; port 0 is any free one, --exit stops after the tour";

function flags(argv: readonly string[]) {
  const options = { data: { type: "string" }, port: { type: "string" }, exit: { type: "boolean" } } as const;
  try {
    const { data = "./assay-data-demo", port = "8787", exit = false } = parseArgs({ args: [...argv], options }).values;
    if (/^\d{1,5}$/.test(port)) return { data, port: Number(port), exit };
  } catch {
    // An unknown flag gets the same error as an invalid port.
  }
  throw new CommandError(2, "Unknown option or invalid port.", usage);
}

async function tour(io: Io, argv: readonly string[]): Promise<void> {
  const { data, port, exit } = flags(argv);
  const stop = askedToStop();
  io.out("Assay: starting the demo server, then taking one run through the product loop.");
  const server = startDemo(io.runtime, data, await findPort(port));
  try {
    const walked = server.ready.then(() => walk(io, server));
    await Promise.race([walked, stop, server.ended]);
    if (exit) return;
    io.out("");
    io.out(paint(io, "good", `Serving at ${server.baseUrl}. Stop it with Ctrl-C.`));
    await Promise.race([stop, server.ended]);
  } finally {
    await server.stop();
  }
}

try {
  await tour(processIo, process.argv.slice(2));
} catch (error) {
  const known = error instanceof CommandError ? error : new CommandError(1, String(error));
  processIo.err(`demo: ${known.message}`);
  if (known.hint !== undefined) processIo.err(known.hint);
  process.exitCode = known.exitCode;
}
