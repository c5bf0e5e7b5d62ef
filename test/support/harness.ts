import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Role } from "../../db/schema/tables.ts";
import { type LocalStore, openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../../src/accounts/admin/firms.ts";
import { type CreatedKey, createApiKey, grantableTo } from "../../src/accounts/admin/keys.ts";
import { entitle, switchGate } from "../../src/accounts/admin/permissions.ts";
import { createUser } from "../../src/accounts/admin/users.ts";
import { creditBalance } from "../../src/accounts/usage/service.ts";
import { type App, type AppOptions, createApp } from "../../src/app.ts";
import { issueAccessToken } from "../../src/identity/access-token.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import type { Run } from "../../src/runs/schema.ts";
import type { ErrorBody } from "../../src/web/errors.ts";
import { catalogueOf, type Engines, type ScriptedEngine, scriptedEngines } from "./engines.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { testServices } from "./services.ts";

/** Timeout for `until`, in milliseconds. Long enough for a busy machine; only a hang reaches it. */
const patienceMs = 120_000;

/** Waits until the condition holds, checking it once per turn of the event loop. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const giveUp = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error(`timed out waiting until: ${what}`);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

export interface Person {
  readonly id: string;
  /** An access token, valid for 15 minutes of the test's clock. */
  readonly token: string;
}

/** A tenant with one person of each role, two workspaces, and a key with every scope that its owner may grant. */
export interface Firm {
  readonly id: string;
  readonly workspaces: readonly [string, string];
  readonly people: Readonly<Record<Role, Person>>;
  readonly key: string;
}

export interface Ask {
  readonly method?: string;
  /** A bearer credential. */
  readonly as?: string | undefined;
  /** Sent as JSON, except strings, bytes and streams, which are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Start {
  readonly slug?: string;
  readonly useCase?: string;
  readonly input?: unknown;
  readonly key?: string;
  readonly as?: string;
  /** Further properties of the body. */
  readonly with?: Readonly<Record<string, unknown>>;
}

const baseUrl = "http://assay.test";
const operator = "operator";
const masterKey = new Uint8Array(32).fill(7);
export const gates = ["platform", "echo", "solo", "brief", "hidden", "entitled", "triage"];
const parts = ["", "-wal"];
/** Returns a path for a database in a new folder. */
const newFile = (): string => join(mkdtempSync(join(tmpdir(), "assay-test-")), "assay.db");

interface Opening {
  readonly file: string;
  readonly clock: TestRuntime;
  readonly engines: Engines;
  /** Called after each commit, once it is durable. */
  readonly onCommit?: () => void;
  /** Options that override or extend the app's defaults. */
  readonly options?: Partial<AppOptions>;
}

let keys = 0;
/** Returns a new idempotency key. */
export const freshKey = (): string => `test-key-${++keys}`;

/** Checks whether a body is sent unchanged. */
export const isAsItIs = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;

/** A real app on its own SQLite file, with a clock and engines that the test controls. */
export class World implements AsyncDisposable {
  private constructor(
    private readonly opening: Opening,
    readonly store: LocalStore,
    readonly app: App,
    /** Everything logged so far, one entry per line. */
    readonly logged: readonly string[],
  ) {}

  static async open(onCommit?: (world: () => World) => void, options: Partial<AppOptions> = {}): Promise<World> {
    const file = newFile();
    let made: World | undefined;
    const current = () => present(made, "the world");
    const hook = onCommit && { onCommit: () => made && onCommit(current) };
    made = await World.on({ file, clock: testRuntime(), engines: scriptedEngines(), options, ...hook });
    await made.openGates(...gates);
    return made;
  }

  private static async on(opening: Opening): Promise<World> {
    const opened = openStore(opening.file, opening.clock);
    await migrate(opened);
    const write: Store["write"] = async (work) => {
      const value = await opened.write(work);
      opening.onCommit?.();
      return value;
    };
    const commit: Store["commit"] = async (transition) => {
      const outcome = await opened.commit(transition);
      opening.onCommit?.();
      return outcome;
    };
    const store = opening.onCommit ? { ...opened, write, commit } : opened;
    const logged: string[] = [];
    const log = createLog(systemRuntime, "debug", (line) => logged.push(line));
    const { clock, engines, options } = opening;
    const services = testServices({ runtime: clock, log }, store);
    const fixed = {
      store,
      runtime: clock,
      log,
      masterKey,
      baseUrl,
      bodyLimit: 65_536,
      services,
      signUp: "open" as const,
    };
    const app = await createApp({ ...fixed, ...catalogueOf(engines), ...options });
    return new World(opening, store, app, logged);
  }

  get clock(): TestRuntime {
    return this.opening.clock;
  }
  get engines(): Engines {
    return this.opening.engines;
  }
  get act() {
    return { actor: operator, at: this.clock.now(), runtime: this.clock };
  }

  /** Copies the files as they are on disk now, as a power cut would leave them. Returns the copy's path. */
  photograph(): string {
    const copy = newFile();
    for (const part of parts)
      if (existsSync(this.opening.file + part)) copyFileSync(this.opening.file + part, copy + part);
    return copy;
  }

  /** Starts another process on what a power cut left and recovers unfinished work. This world keeps running. */
  async restart(photograph = this.photograph()): Promise<World> {
    const { clock, engines, options = {} } = this.opening;
    const next = await World.on({ file: photograph, clock, engines, options });
    await next.app.recover();
    return next;
  }

  /** Stops the installation and starts it again on the same file, with fresh engines. */
  async reopen(graceMs = 0, options: Partial<AppOptions> = this.opening.options ?? {}): Promise<World> {
    await this.app.stop(graceMs);
    await this.store.close();
    const next = await World.on({ ...this.opening, engines: this.engines, options });
    await next.app.recover();
    return next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.stop(0);
    await this.store.close();
    rmSync(dirname(this.opening.file), { recursive: true, force: true });
  }

  openGates(...names: string[]): Promise<unknown> {
    return this.store.write(async (tx) => {
      for (const name of names) await switchGate(tx, this.act, name, true);
    });
  }

  closeGate(name: string): Promise<unknown> {
    return this.store.write((tx) => switchGate(tx, this.act, name, false));
  }

  /** Creates a tenant with these credits. */
  async firm({ credits = 10_000, entitlements = [] as string[] } = {}): Promise<Firm> {
    const name = `Firm ${crypto.randomUUID()}`;
    return this.store.write(async (tx) => {
      const { act } = this;
      const { id } = await createFirm(tx, act, { name });
      const one = await createWorkspace(tx, act, id, { name: "First" });
      const two = await createWorkspace(tx, act, id, { name: "Second" });
      for (const entitlement of entitlements) await entitle(tx, act, id, entitlement);
      if (credits > 0) await grantCredits(tx, act, { firm_id: id, credits, reason: "test" });
      const person = async (role: Role): Promise<Person> => {
        const user = await createUser(tx, act, { firm_id: id, role, email: `${role}@${id}.test` });
        return { id: user.id, token: this.tokenOf(user.id) };
      };
      const people = {
        owner: await person("owner"),
        admin: await person("admin"),
        approver: await person("approver"),
        member: await person("member"),
      };
      const scopes = [...(await grantableTo(tx, id, people.owner.id))];
      const holder = { firm_id: id, workspace_id: one.id, user_id: people.owner.id };
      const { secret } = await createApiKey(tx, act, { ...holder, name: "all", scopes, expires_at: null });
      return { id, workspaces: [one.id, two.id], people, key: secret };
    });
  }

  /** Returns a new access token. */
  tokenOf(user_id: string): string {
    return issueAccessToken(this.app.parts.keyring, baseUrl, user_id, this.clock).token;
  }

  /** Creates another key for a firm, by default in its first workspace. */
  key(
    firm: Firm,
    scopes: readonly string[],
    { workspace = firm.workspaces[0], user = firm.people.owner.id, expires_at = null as number | null } = {},
  ): Promise<CreatedKey> {
    const given = { firm_id: firm.id, workspace_id: workspace, user_id: user, name: "further", scopes, expires_at };
    return this.store.write((tx) => createApiKey(tx, this.act, given));
  }

  /** Sends a request to the app. */
  async ask(path: string, { method, as, body, headers = {} }: Ask = {}): Promise<Response> {
    const sent = new Headers(headers);
    if (as !== undefined) sent.set("authorization", `Bearer ${as}`);
    if (body !== undefined && !sent.has("content-type")) sent.set("content-type", "application/json");
    const request = new Request(baseUrl + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: sent,
      ...(body !== undefined && { body: isAsItIs(body) ? body : JSON.stringify(body) }),
    });
    return this.app.fetch(request);
  }

  /** Requests a run of a capability or a use case. */
  start(firm: Firm, { slug = "echo", useCase, input = { text: "hello" }, key = freshKey(), as, ...more }: Start = {}) {
    const path = useCase === undefined ? `/v1/capabilities/${slug}/runs` : `/v1/use-cases/${useCase}/runs`;
    return this.ask(path, { as: as ?? firm.key, body: { input, ...more.with }, headers: { "idempotency-key": key } });
  }

  /** Starts a run; throws if it is not accepted. */
  async accepted(firm: Firm, start: Start = {}): Promise<Run> {
    const response = await this.start(firm, start);
    if (response.status !== 202) throw new Error(`not accepted: ${response.status} ${await response.text()}`);
    return runIn(response);
  }

  /** Starts a run and waits until it can proceed no further without advancing the clock. */
  async settled(firm: Firm, start: Start = {}): Promise<Run> {
    const { id } = await this.accepted(firm, start);
    await this.idle();
    return this.run(firm, id);
  }

  async run(firm: Firm, id: string, as = firm.key): Promise<Run> {
    return runIn(await this.ask(`/v1/runs/${id}`, { as }));
  }

  /** Waits until no effect is running or queued. */
  idle(): Promise<void> {
    const { worker } = this.app.parts;
    return until(() => worker.load().active + worker.load().waiting === 0, "nothing is running");
  }

  /**
   * Waits until the condition holds. The clock advances only between attempts: a real peer takes real time, during
   * which an advancing clock would reach the deadline.
   */
  untilAfterPauses(holds: () => Promise<boolean>, what: string): Promise<void> {
    return until(async () => {
      await this.idle();
      if (await holds()) return true;
      this.clock.advance(100);
      return false;
    }, what);
  }

  /** Advances the clock until the engine is called again, and lets it finish. */
  async nextAttempt(engine: ScriptedEngine): Promise<void> {
    const calls = engine.calls.length;
    await this.untilAfterPauses(async () => engine.calls.length > calls, "another attempt");
  }

  /** Returns the firm's available and reserved credits. */
  balance(firm: Firm): Promise<{ available: number; reserved: number }> {
    return creditBalance(this.store.read, firm.id);
  }

  /** Returns the number of rows in a table. */
  async count(table: "runs" | "effects" | "idempotency" | "transfers"): Promise<number> {
    const { countAll } = this.store.read.fn;
    const row = await unscoped(this.store.read)
      .selectFrom(table)
      .select(countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    return row.n;
  }
}

/** Parses the run in a response. */
export const runIn = async (response: Response): Promise<Run> => (await response.json()) as Run;
/** Parses the error in a response. */
export const errorIn = async (response: Response): Promise<ErrorBody["error"]> =>
  ((await response.json()) as ErrorBody).error;
/** Returns the status and code of an error response, which callers branch on. */
export const refusal = async (response: Response): Promise<[number, string]> => [
  response.status,
  (await errorIn(response)).code,
];
