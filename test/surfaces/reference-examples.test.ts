import { expect, test } from "bun:test";
import { present } from "../../src/platform/assert.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { exampleOf } from "../../src/surfaces/docs/site/operations.ts";
import type { ErrorBody } from "../../src/web/errors.ts";
import type { OpenApi, Operation } from "../../src/web/openapi-document.ts";
import { freshKey, World } from "../support/harness.ts";
import { OperatorBrowser } from "../support/operator-browser.ts";

interface Shown {
  /** The slug that it is for, if an operation has an example for each capability or use case. */
  readonly slug: string | undefined;
  readonly type: string;
  readonly value: unknown;
}

const shownBodies = ({ requestBody }: Operation): Shown[] =>
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { example, examples }]): Shown[] =>
    examples
      ? Object.entries(examples).map(([slug, { value }]) => ({ slug, type, value }))
      : [{ slug: undefined, type, value: example }],
  );

/** Returns the address with its required parameters; ids are of nothing that exists. */
function addressOf(path: string, { parameters = [] }: Operation, slug = "exa-filter"): string {
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const asked = new URLSearchParams(
    Object.fromEntries(query.map((parameter) => [parameter.name, exampleOf(parameter)])),
  );
  return `${path.replace("{slug}", slug).replace(/{\w+}/g, () => Bun.randomUUIDv7())}?${asked}`;
}

const bodyOf = ({ type, value }: Shown): string => {
  if (type === "application/json") return JSON.stringify(value);
  return typeof value === "string" ? value : new URLSearchParams(value as Record<string, string>).toString();
};

/** Opens a world with every gate open, and callers with every permission. */
async function readers() {
  const world = await World.open(undefined, { capabilities, useCases, stepEngines });
  await world.openGates(...[...capabilities, ...useCases].map(({ slug }) => slug));
  const held = new Set([...capabilities.flatMap(({ entitlements }) => entitlements), "enterprise", "partner-tool"]);
  const firm = await world.firm({ credits: 100_000, entitlements: [...held] });
  const operator = await OperatorBrowser.open(world);
  const token = world.tokenOf(firm.people.owner.id);
  return {
    world,
    send(
      kinds: readonly string[],
      path: string,
      ask: { method: string; body?: string; headers: Record<string, string> },
    ) {
      if (kinds.includes("browserSession")) return operator.ask(path, ask);
      if (kinds.includes("apiKey")) return world.ask(path, { ...ask, as: firm.key });
      return world.ask(path, kinds.includes("accessToken") ? { ...ask, as: token } : ask);
    },
  };
}

test("every body in the reference is accepted by its route", async () => {
  const { world, send } = await readers();
  await using _ = world;
  const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  const refused: string[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      for (const shown of shownBodies(operation)) {
        const headers = { "content-type": shown.type, "idempotency-key": freshKey() };
        const answer = await send(operation.security.flatMap(Object.keys), addressOf(path, operation, shown.slug), {
          ...{ method: method.toUpperCase(), body: bodyOf(shown), headers },
        });
        const { error } = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>;
        // These errors mean that the body was refused or never checked.
        const isRefused = ["validation_error", "invalid_api_key", "missing_scope"].includes(error?.code ?? "");
        const places = (error?.details ?? []).map((detail) => detail.path).join(" ");
        if (isRefused) refused.push(`${operation.operationId} ${shown.slug ?? ""} ${error?.code} ${places}`);
      }
  // An invitation is valid only for its recipient.
  expect(refused).toEqual(["signUp  validation_error /body/invite"]);
});

test("every query in the reference is accepted by its route", async () => {
  const { world, send } = await readers();
  await using _ = world;
  const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  const asked: string[] = [];
  const refused: string[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.parameters?.some((parameter) => parameter.in === "query" && parameter.required)) continue;
      asked.push(operation.operationId);
      const request = { method: method.toUpperCase(), headers: {} };
      const answer = await send(operation.security.flatMap(Object.keys), addressOf(path, operation), request);
      const { error } = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>;
      const places = (error?.details ?? []).map((detail) => detail.path).filter((at) => at.startsWith("/query"));
      if (places.length > 0) refused.push(`${operation.operationId} ${places.join(" ")}`);
    }
  expect(asked).toContain("searchDocs");
  // Each installation has its own identity providers.
  expect(refused).toEqual(["authorize /query/provider"]);
});

test("the partner tool's example is the guide's tool, with its arguments", async () => {
  const { world } = await readers();
  await using _ = world;
  const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  const [shown] = shownBodies(present(document.paths["/v1/partner-tool/call"]?.post, "the operation"));
  const guide = (await (await world.ask("/v1/docs/connectors")).json()) as { body_markdown: string };
  expect(shown?.value).toEqual({ tool: "triage_claim", arguments: { claim: "Glass breakage" } });
  for (const words of ["name: triage_claim", "input: { claim: Glass breakage }"])
    expect(guide.body_markdown).toContain(words);
});

test("each use case has its own examples of a quote and a run", async () => {
  const { world } = await readers();
  await using _ = world;
  const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  const slugs = useCases.map(({ slug }) => slug).sort();
  for (const path of ["/v1/use-cases/{slug}/quote", "/v1/use-cases/{slug}/runs"]) {
    const operation = document.paths[path]?.post;
    expect(operation && shownBodies(operation).map(({ slug }) => slug ?? "")).toEqual(expect.arrayContaining(slugs));
  }
});
