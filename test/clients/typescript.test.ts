import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  Assay,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  type Options,
  PermissionError,
  type ResultOf,
  type Run,
  ServerError,
  ValidationError,
} from "../../clients/typescript/src/index.ts";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { type ClientWorld, openClientWorld } from "../support/client-world.ts";
import { freshKey } from "../support/harness.ts";

let served: ClientWorld;
let assay: Assay;
const client = (options: Partial<Options> = {}) =>
  new Assay({ baseUrl: served.baseUrl, key: served.firm.key, ...options });
beforeAll(async () => {
  served = await openClientWorld();
  assay = client();
});
afterAll(() => served[Symbol.asyncDispose]());

const input = {
  question: "Should I invest my savings?",
  answer: "This fund is guaranteed to double your money within a year, without any risk.",
  check: "full",
};

/** Returns the error with which the call fails. */
const refusedWith = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error) => error,
  );

describe("the TypeScript client", () => {
  test("and the Python one have a type for every schema; if not, run `bun run clients:types`", async () => {
    const document = (await (await fetch(`${served.baseUrl}/openapi-public.json`)).json()) as OpenApi;
    const clients = join(import.meta.dir, "..", "..", "clients");
    const typescript = await Bun.file(join(clients, "typescript", "src", "types.ts")).text();
    const python = await Bun.file(join(clients, "python", "assay_client", "types.py")).text();
    const names = Object.keys(document.components.schemas);
    const isTyped = (name: string) => new RegExp(`^(class ${name}\\(|${name}(: TypeAlias)? = )`, "m").test(python);
    expect(names.filter((name) => !typescript.includes(` ${name}: `))).toEqual([]);
    expect(names.filter((name) => !isTyped(name))).toEqual([]);
  });

  test("goes from the quote to the receipt, and its result has its type", async () => {
    const quote = await assay.quote("advice-assurance-check", input);
    expect(quote).toMatchObject({ maximum_credits: 0, reserved_credits: 0 });
    const run = await assay.wait(await assay.runUseCase("advice-assurance-check", input, { quote_id: quote.id }));
    expect(run).toMatchObject({ status: "succeeded", charges: { charged_credits: 0 } });
    expect((await assay.receipt(run.id)).split(".")).toHaveLength(3);
    const checked: Run<ResultOf<"afa-assurance">> = await assay.wait(await assay.runCapability("afa-assurance", input));
    const findings = checked.result?.findings.map(({ severity, rule_id }) => ({ severity, rule_id })) ?? [];
    expect(findings).toContainEqual({ severity: "critical", rule_id: expect.any(String) });
  });

  test("lists what is sold, with its input", async () => {
    const slugs = (await assay.capabilities({ status: "pilot" })).map(({ slug }) => slug);
    expect(slugs).toContain("exa-filter");
    expect((await assay.capability("exa-filter")).required_scopes.rest).toEqual(["capabilities:run"]);
    expect((await assay.useCases()).map(({ slug }) => slug)).toContain("advice-assurance-check");
  });

  test("starts a run once per idempotency key, and refuses another input for it", async () => {
    const idempotencyKey = freshKey();
    const [one, two] = await Promise.all([
      assay.runCapability("afa-assurance", input, { idempotencyKey }),
      assay.runCapability("afa-assurance", input, { idempotencyKey }),
    ]);
    expect(two.id).toBe(one.id);
    const other = { ...input, check: "ethics" };
    expect(await refusedWith(assay.runCapability("afa-assurance", other, { idempotencyKey }))).toBeInstanceOf(
      ConflictError,
    );
  });

  test("iterates over lists of several pages, each item once", async () => {
    for (let i = 0; i < 5; i++) await assay.runCapability("afa-assurance", input);
    const ids: string[] = [];
    for await (const { id } of assay.runs({ limit: 2, capability: "afa-assurance" })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    const entries: unknown[] = [];
    for await (const entry of assay.creditEntries()) entries.push(entry.balance_after);
    expect(entries[0]).toEqual(await assay.balance());
    for await (const job of assay.jobs()) throw new Error(`nobody asked for ${job.id}`);
  });

  test("throws a specific error class for each kind of error, with its code and its details", async () => {
    const invalid = await refusedWith(assay.runCapability("exa-filter", {}));
    expect(invalid).toBeInstanceOf(ValidationError);
    expect(invalid).toMatchObject({
      code: "validation_error",
      status: 422,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((invalid as ValidationError).details.map(({ path }) => path)).toContain("/body/input/question");
    expect(await refusedWith(assay.run(Bun.randomUUIDv7()))).toBeInstanceOf(NotFoundError);
    expect(await refusedWith(client({ key: "nonsense" }).balance())).toBeInstanceOf(AuthenticationError);
    const { secret } = await served.world.key(served.firm, ["docs:read"]);
    const narrow = await refusedWith(client({ key: secret }).balance());
    expect(narrow).toBeInstanceOf(PermissionError);
    expect((narrow as PermissionError).details[0]?.message).toBe("needs the scope account:read");
    // The capability is switched off for a minute; the client does not wait for it.
    const off = await refusedWith(assay.runCapability("eu-market-data", { question: "GDP?", countries: ["CZ"] }));
    expect(off).toBeInstanceOf(ServerError);
    expect(off).toMatchObject({ code: "capability_runs_disabled", retryAfter: 60 });
  });

  test("retries unanswered requests with the same key, and those without one only if they read", async () => {
    const keys: (string | null)[] = [];
    let broken = 2;
    const flaky = Object.assign(
      async (url: string | URL | Request, init?: RequestInit) => {
        keys.push(new Headers(init?.headers).get("idempotency-key"));
        if (broken-- > 0) throw new TypeError("the connection broke");
        return fetch(url, init);
      },
      { preconnect: fetch.preconnect },
    );
    const run = await client({ fetch: flaky }).runCapability("afa-assurance", input);
    expect(run.id).toBeString();
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    broken = 1;
    const asked = keys.length;
    expect(await refusedWith(client({ fetch: flaky }).quote("advice-assurance-check", input))).toBeInstanceOf(
      ConnectionError,
    );
    expect(keys.length).toBe(asked + 1);
  });

  test("waits no longer than requested, and stops when aborted", async () => {
    const run = await assay.runCapability("afa-assurance", input);
    const going = { ...run, status: "running" as const };
    expect((await assay.wait(going, { timeoutSeconds: 0 })).status).toBe("running");
    const abort = AbortSignal.abort(new Error("enough"));
    expect(await refusedWith(assay.wait(going, { signal: abort }))).toMatchObject({ message: "enough" });
  });
});
