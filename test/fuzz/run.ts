#!/usr/bin/env bun
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { mcpProbes, pageProbes, rawCount, rawFindings } from "./edges.ts";
import { type Credentials, operationProbes } from "./operations.ts";
import { type Finding, type Probe, send } from "./probe.ts";

/**
 * `bun run fuzz`: hostile requests for every operation of a new demo installation. First our own, then those that
 * Schemathesis generates from the OpenAPI document: without a credential, with a key, and as a person. The first run
 * needs Python and the network to install Schemathesis. The last line is `N operations, N requests, N findings`.
 * FUZZ_EXAMPLES (10) sets the examples per operation and phase, FUZZ_SEED (1) the seed; FUZZ_SKIP (`schemathesis`)
 * skips a part.
 */

const root = join(import.meta.dir, "..", "..");
const cache = join(root, "node_modules", ".cache", "fuzz");
const schemathesis = "schemathesis==4.32.5";
const examples = process.env.FUZZ_EXAMPLES ?? "10";
const seed = process.env.FUZZ_SEED ?? "1";
/** Number of concurrent requests, enough to keep one process busy. */
const clients = 8;

interface Demo {
  readonly base_url: string;
  readonly firms: readonly {
    readonly keys: { readonly all: string };
    readonly workspaces: readonly { readonly id: string }[];
    readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
  }[];
}

async function run(command: readonly string[], env: Record<string, string> = {}, cwd = root) {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output: out + err };
}

/** Returns the program's path, installing it at first use. */
async function installed(): Promise<string> {
  const venv = join(cache, schemathesis);
  const program = join(venv, "bin", "schemathesis");
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  console.log(`installing ${schemathesis} …`);
  for (const command of [
    ["python3", "-m", "venv", venv],
    [join(venv, "bin", "pip"), "install", "--quiet", schemathesis],
  ]) {
    const { code, output } = await run(command);
    if (code === 0) continue;
    rmSync(venv, { recursive: true, force: true });
    throw new Error(`${command[0]} failed:\n${output}`);
  }
  return program;
}

/** Serves a demo installation for this run on a free port. */
async function serve(data: string) {
  const server = Bun.spawn([process.execPath, "src/main.ts", "serve", "--demo", "--data", data, "--port", "0"], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const listening = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) {
      log += new TextDecoder().decode(chunk);
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(log) ?? [];
      if (address !== undefined && log.includes("listening on")) listening.resolve(address);
    }
  };
  void Promise.all([read(server.stdout), read(server.stderr)]);
  void server.exited.then((code) => listening.reject(new Error(`the server exited with ${code}:\n${log}`)));
  return {
    base: await listening.promise,
    server,
    errors: () => log.split("\n").filter((line) => line.includes('"level":"error"')),
  };
}

async function credentialsOf({ firms }: Demo, base: string): Promise<Credentials> {
  const firm = firms[1];
  const owner = firm?.users.find(({ role }) => role === "owner");
  if (!firm || !owner) throw new Error("the demo has a second firm with an owner");
  const { email, password } = owner;
  const answer = await fetch(`${base}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { key: firm.keys.all, token };
}

/** Sends all probes. */
async function sendAll(base: string, probes: readonly Probe[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const waiting = [...probes];
  const client = async () => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift()) {
      const { finding } = await send(base, probe);
      if (finding) findings.push(finding);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return findings;
}

/** Waits until everything accepted has finished, so that failing engines have logged their errors. */
async function ended(base: string, { key }: Credentials): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (const status of ["queued", "running"])
    for (let under = 1; under > 0; ) {
      const answer = await fetch(`${base}/v1/runs?limit=1&status=${status}`, { headers });
      const list = (await answer.json()) as { readonly items: readonly unknown[] };
      under = list.items.length;
      if (under > 0) await Bun.sleep(100);
    }
}

/** Runs Schemathesis as this caller; returns the number of requests and the failures reported. */
async function generated(program: string, caller: string, base: string, data: string) {
  const counts = join(data, `${caller}.json`);
  const { code, output } = await run(
    [program, "--config-file", join(import.meta.dir, "schemathesis.toml"), "run", `${base}/openapi-public.json`].concat(
      ["--seed", seed, "-n", examples, "--no-color", "--no-shrink", "--continue-on-failure"],
      ["--max-response-time", "10", "--generation-database", "none"],
      // With a credential, it would try an invalid one at each operation and soon exhaust the rate limit on failed
      // sign-ins. The run without one, and our own probes at the end, cover access.
      caller === "none" ? [] : ["--exclude-checks", "ignored_auth"],
    ),
    {
      PYTHONPATH: import.meta.dir,
      PYTHONDONTWRITEBYTECODE: "1",
      SCHEMATHESIS_HOOKS: "hooks",
      FUZZ_BASE: base,
      FUZZ_CALLER: caller,
      FUZZ_CREDENTIALS: join(data, "demo-credentials.json"),
      FUZZ_COUNTS: counts,
    },
    data,
  );
  const asked = existsSync(counts) ? (JSON.parse(readFileSync(counts, "utf8")) as Record<string, number>) : {};
  const [, failed = "0"] = /(\d+) (?:unique )?failures?/.exec(output) ?? [];
  const [, broken = "0"] = /(\d+) errors?(?:,| in)/.exec(output) ?? [];
  const found = Number(failed) + Number(broken);
  return {
    requests: Object.values(asked).reduce((sum, count) => sum + count, 0),
    found: code === 0 ? 0 : Math.max(found, 1),
    output,
  };
}

async function main(): Promise<number> {
  const program = process.env.FUZZ_SKIP === "schemathesis" ? undefined : await installed();
  const data = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
  const { base, server, errors } = await serve(data);
  try {
    const demo = JSON.parse(readFileSync(join(data, "demo-credentials.json"), "utf8")) as Demo;
    const document = (await (await fetch(`${base}/openapi-public.json`)).json()) as OpenApi;
    const credentials = await credentialsOf(demo, base);
    let requests = 0;
    let findings = 0;
    for (const caller of program === undefined ? [] : ["none", "key", "person"]) {
      const made = await generated(program ?? "", caller, base, data);
      requests += made.requests;
      findings += made.found;
      console.log(`schemathesis, ${caller}: ${made.requests} requests, ${made.found} findings`);
      if (made.found > 0) console.log(made.output);
    }
    const probes = [...operationProbes(document, credentials), ...mcpProbes(credentials.key), ...pageProbes()];
    const told = [
      ...(await sendAll(
        base,
        probes.filter(({ guesses }) => !guesses),
      )),
      ...(await rawFindings(base)),
    ];
    await ended(base, credentials);
    // These soon exhaust the rate limit on failed sign-ins, after which every credential is refused.
    told.push(
      ...(await sendAll(
        base,
        probes.filter(({ guesses }) => guesses),
      )),
    );
    for (const { on, what, problem } of told) console.log(`${on}: ${problem} (${what})`);
    requests += probes.length + rawCount;
    console.log(`by hand: ${probes.length + rawCount} requests, ${told.length} findings`);
    const logged = errors();
    // Each error is printed once, but every occurrence counts.
    const byCause = Map.groupBy(logged, (line) => /"error":\{.*/.exec(line)?.[0].slice(0, 400) ?? line);
    for (const [cause, lines] of byCause) console.log(`logged ${lines.length} times: ${cause}`);
    findings += told.length + logged.length;
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
    console.log(`${operations} operations, ${requests} requests, ${findings} findings`);
    return findings;
  } finally {
    server.kill();
    await server.exited;
    rmSync(data, { recursive: true, force: true });
  }
}

process.exit((await main()) === 0 ? 0 : 1);
