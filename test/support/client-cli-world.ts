import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { Command } from "commander";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { operator } from "../../src/accounts/admin/audit-context.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../../src/accounts/admin/firms.ts";
import { createApiKey } from "../../src/accounts/admin/keys.ts";
import { switchGate } from "../../src/accounts/admin/permissions.ts";
import { createUser, setPassword } from "../../src/accounts/admin/users.ts";
import { createPasswords } from "../../src/accounts/auth/passwords.ts";
import { type App, type AppOptions, createApp } from "../../src/app.ts";
import { registerClientCommands } from "../../src/cli/client/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { EngineError } from "../../src/contracts/engine.ts";
import { issueAccessToken } from "../../src/identity/access-token.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { closed } from "../../src/platform/schema.ts";
import { benchNoop } from "../../src/products/capabilities/bench-noop/manifest.ts";
import {
  InsuranceAssistantInput,
  InsuranceAssistantOutput,
} from "../../src/products/capabilities/insurance-assistant/schema.ts";
import type { CapabilityManifest, UseCaseManifest } from "../../src/registry/contract.ts";
import { until } from "./harness.ts";
import { testServices } from "./services.ts";
import { commandLine } from "./under-test.ts";

/** A real server with a real database, and the command line to call it with, for the tests of the client. */

/** An engine that finishes after the run is accepted. */
const { runInline: _, ...later } = benchNoop.engine;

export const priced: CapabilityManifest = {
  ...benchNoop,
  engine: later,
  slug: "priced",
  name: "Priced",
  private: false,
  entitlements: [],
  trial: { ...benchNoop.trial, enabled: true, max_runs: 1 },
  input_schema: closed({
    text: T.String({ minLength: 2 }),
    countries: T.Optional(T.Array(T.String())),
    size: T.Optional(T.Integer()),
  }),
};
/** Fails with a message that contains terminal control sequences. */
const failing: CapabilityManifest = {
  ...priced,
  slug: "failing",
  engine: {
    ...later,
    run: async () => {
      throw new EngineError("no_data", "The data\u001b[2J do not hold it.", false);
    },
  },
};
/** Runs until it is cancelled or the server stops. */
const waiting: CapabilityManifest = {
  ...priced,
  slug: "waiting",
  engine: {
    ...later,
    run: (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  },
};
const decided: UseCaseManifest = {
  slug: "decided",
  name: "Decided by a person",
  outcome: "Something that a person lets through",
  category: "Tests",
  description: "One step that waits for an approval.",
  semantic_version: "1.0.0",
  provider: "assay",
  status: "available",
  access: "public",
  countries: ["EU"],
  evidence_freshness: "none",
  supported_execution_surfaces: ["rest", "cli"],
  delivered_results: ["Nothing"],
  limitations: ["It does nothing."],
  steps: [{ key: "only", capability: "priced", title: "The only step", maximum_credits: 500, requires_approval: true }],
  input_schema: priced.input_schema,
};

/** A use case with two steps that succeed and a third that needs approval. */
const staged: UseCaseManifest = {
  ...decided,
  slug: "staged",
  name: "In three stages",
  steps: ["first", "second", "third"].map((key) => ({
    ...{ key, capability: "priced", title: `The ${key} step of three`, maximum_credits: 500 },
    requires_approval: key === "third",
  })),
};
/** A use case with one step, of whose three items each is approved separately. Its engine knows nothing about items. */
const itemized: UseCaseManifest = {
  ...decided,
  slug: "itemized",
  name: "Decided item by item",
  steps: decided.steps.map((step) => ({
    ...step,
    approval_items: { labels: () => ["Alpha", "Beta", "Gamma"], only: (output) => output },
  })),
};
/** Reports progress and knows one company; any other site fails. */
const analysing: CapabilityManifest = {
  ...priced,
  slug: "company-intelligence",
  input_schema: closed({ company_url: T.String() }),
  output_schema: closed({ company_name: T.String(), market: T.String() }),
  engine: {
    ...later,
    run: async (input, { progress }) => {
      progress?.("reading", 1, 3);
      if (!JSON.stringify(input).includes("//example.com/"))
        throw new EngineError("no_pages", "The site gave no page.", false);
      return { result: { company_name: "Example", market: "Everything that needs an example" }, credits: 0 };
    },
  },
};

/** Answers from one sample document, and has no evidence for Slovakia. */
const answering: CapabilityManifest = {
  ...priced,
  slug: "insurance-assistant",
  input_schema: InsuranceAssistantInput,
  output_schema: InsuranceAssistantOutput,
  engine: {
    ...later,
    run: async (input) => {
      const none = { answer: "There is no evidence for this.", sources: [], trust_state: "FAIL", confidence: null };
      const source = {
        ...{ title: "Bicycle insurance, general terms", carrier: "Example Insurance", document_type: "terms" },
        ...{ provenance: "sample", language: "en", page: 12, url: "https://insurance.example/terms.pdf", score: 0.9 },
        excerpt: "Theft of the insured bicycle is covered up to CZK 40,000.",
      };
      const sources = [{ id: "1", ...source }];
      const found = { answer: "Theft is covered up to CZK 40,000 [1].", sources, trust_state: "OK", confidence: 0.8 };
      return { result: JSON.stringify(input).includes('"SK"') ? none : found, credits: 0 };
    },
  },
};

/** The password that the rich firm's owner signs in with. */
export const password = "four words nobody combines";

interface Firm {
  readonly owner: string;
  /** API key secrets by label. */
  readonly keys: Readonly<Record<string, string>>;
}

async function makeFirm(store: Store, name: string, credits: number, keys: Record<string, string[]>): Promise<Firm> {
  const act = { actor: operator, at: systemRuntime.now(), runtime: systemRuntime };
  return store.write(async (tx) => {
    const { id: firm_id } = await createFirm(tx, act, { name });
    const { id: workspace_id } = await createWorkspace(tx, act, firm_id, { name: "First" });
    const { id: owner } = await createUser(tx, act, { firm_id, role: "owner", email: `${name}@example.com` });
    if (credits > 0) await grantCredits(tx, act, { firm_id, credits, reason: "to begin with" });
    const secrets: Record<string, string> = {};
    for (const [label, scopes] of Object.entries(keys)) {
      const key = { firm_id, workspace_id, user_id: owner, name: label, scopes, expires_at: null };
      secrets[label] = (await createApiKey(tx, act, key)).secret;
    }
    return { owner, keys: secrets };
  });
}

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
export interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
}

/** The defaults for a command: this server, this key, and a home folder without settings. */
interface Surroundings {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function commandsOf({ folder, env }: Surroundings) {
  const start = (args: readonly string[], given: Given = {}) =>
    Bun.spawn(commandLine(args), {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", ...env, ...given.env },
      stdin: given.stdin === undefined ? "ignore" : new Blob([given.stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
  return {
    start,

    /** Runs a command as a separate process. */
    async assay(args: readonly string[], given?: Given): Promise<Told> {
      const child = start(args, given);
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, out, err };
    },

    /**
     * Runs a command in this process on a terminal with `columns` columns; `ask` answers its prompts. Returns the lines
     * of stdout.
     */
    async onTerminal(columns: number, args: readonly string[], more: Given["env"] = {}, ask?: Io["ask"]) {
      const lines: string[] = [];
      const program = new Command("assay").exitOverride();
      registerClientCommands(program, {
        runtime: systemRuntime,
        out: (line) => lines.push(...line.split("\n")),
        err: () => {},
        env: { ...env, ...more },
        terminal: true,
        columns,
        errColumns: columns,
        liveRows: 0,
        stdin: async () => "",
        ask,
      });
      await program.parseAsync(args, { from: "user" });
      return lines;
    },
  };
}

/**
 * What a test's server sells and the services of its engines; by default, services with no configuration and no data.
 */
export interface Sold extends Pick<AppOptions, "capabilities" | "useCases" | "stepEngines"> {
  readonly services?: (store: Store) => Promise<AppOptions["services"]>;
}

/** The capabilities and use cases of this file. */
const usual: Sold = {
  capabilities: [priced, failing, waiting, analysing, answering],
  useCases: [decided, staged, itemized],
  stepEngines: {},
};

async function serve(store: Store, { capabilities, useCases, stepEngines, services }: Sold) {
  const ready = Promise.withResolvers<App>();
  let server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request, own) => (await ready.promise).fetch(request, own),
  });
  const app = await createApp({
    store,
    runtime: systemRuntime,
    log: createLog(systemRuntime, "error"),
    masterKey: new Uint8Array(32),
    baseUrl: `http://127.0.0.1:${server.port}`,
    bodyLimit: 1_048_576,
    capabilities,
    useCases,
    stepEngines,
    services: (await services?.(store)) ?? testServices({}, store),
  });
  ready.resolve(app);
  return {
    app,
    /** Stops the server, runs `work`, and listens again at the same address. */
    async away(work: () => Promise<unknown>): Promise<void> {
      const port = Number(new URL(app.parts.baseUrl).port);
      await server.stop(true);
      await work();
      // Another program's connection may briefly occupy the port.
      await until(() => {
        try {
          server = Bun.serve({ port, hostname: "127.0.0.1", fetch: app.fetch });
          return true;
        } catch {
          return false;
        }
      }, "it listens at its address again");
    },
    stop: () => server.stop(true),
  };
}

/**
 * Opens a server with two firms, one rich and one poor; the capabilities `priced` (at most 500 credits, charges 350,
 * one trial run), `failing`, `waiting` (until it is cancelled) and those in `more`; and the use case `decided`, which
 * needs an approval. `sold` replaces all of these.
 */
export async function openWorld(more: AppOptions["capabilities"] = [], { capabilities, ...sold }: Sold = usual) {
  const folder = mkdtempSync(join(tmpdir(), "assay-cli-"));
  const store = openStore(join(folder, "assay.db"));
  await migrate(store);
  const all = [...capabilities, ...more];
  const { app, away, stop } = await serve(store, { ...sold, capabilities: all });
  const runs = [
    "capabilities:run",
    "use-cases:run",
    "runs:read",
    "account:read",
    "company:analyze",
    "jobs:read",
    "docs:read",
    "insurance:ask",
  ];
  const poor = await makeFirm(store, "poor", 0, { all: runs });
  const told = ["profile:read", "workspaces:read"];
  const validator = ["validator:read", "validator:run"];
  const rich = await makeFirm(store, "rich", 100_000, {
    all: [...runs, ...told],
    readOnly: ["runs:read"],
    validator,
    orders: ["validator:run"],
  });
  const act = { actor: operator, at: systemRuntime.now(), runtime: systemRuntime };
  const password_hash = await createPasswords(systemRuntime).hash(password);
  await store.write(async (tx) => {
    await setPassword(tx, act, rich.owner, password_hash);
    for (const name of ["platform", ...[...sold.useCases, ...all].map(({ slug }) => slug)])
      await switchGate(tx, act, name, true);
  });
  const baseUrl = app.parts.baseUrl;
  const { all: every = "", readOnly = "", validator: validating = "", orders = "" } = rich.keys;
  const key = { all: every, readOnly, validator: validating, orders, poor: poor.keys.all ?? "" };
  const env = { ASSAY_BASE_URL: baseUrl, ASSAY_API_KEY: key.all, HOME: folder };
  return {
    ...commandsOf({ folder, env }),
    baseUrl,
    key,
    folder,
    away,
    file: (name: string) => join(folder, name),
    /** Sends a request with the rich firm's key, bypassing the command line. */
    ask: (path: string) => fetch(baseUrl + path, { headers: { authorization: `Bearer ${key.all}` } }),
    /** An access token of the rich firm's owner. */
    token: () => issueAccessToken(app.parts.keyring, baseUrl, rich.owner, systemRuntime).token,
    async close(): Promise<void> {
      await app.stop(1_000);
      await stop();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The fields of a run printed by `--json` that tests check. */
export const runOf = ({ out }: Told): { id: string; status: string; surface: string; input: unknown } =>
  JSON.parse(out);
