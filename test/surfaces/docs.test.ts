import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { present } from "../../src/platform/assert.ts";
import { errorCodes, statusOf } from "../../src/platform/errors.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { reasonMessage } from "../../src/runs/reasons.ts";
import { runReasons } from "../../src/surfaces/docs/guides.ts";
import type { DocDetail, DocSummary } from "../../src/surfaces/docs/schema.ts";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { World } from "../support/harness.ts";

let world: World;
let pages: DocSummary[];
let document: OpenApi;

const read = async <T>(path: string): Promise<T> => (await (await world.ask(path)).json()) as T;
const search = (q: string, limit?: number) =>
  read<DocSummary[]>(`/v1/docs/search?${new URLSearchParams({ q, ...(limit && { limit: String(limit) }) })}`);
const bodies = async () =>
  Promise.all(pages.map(async ({ url }) => ({ url, body: (await read<DocDetail>(url)).body_markdown })));

beforeAll(async () => {
  world = await World.open();
  pages = await read("/v1/docs");
  document = await read("/openapi-public.json");
});
afterAll(() => world[Symbol.asyncDispose]());

test("the first request for the documentation does not block others until everything is generated", async () => {
  await using fresh = await World.open();
  let isMade = false;
  const asked = fresh.ask("/docs").then(({ status }) => {
    isMade = true;
    return status;
  });
  let turns = 0;
  for (; !isMade; turns++) await systemRuntime.nextTurn();
  expect(await asked).toBe(200);
  expect(turns).toBeGreaterThan(Object.keys(document.paths).length);
});

describe("pages", () => {
  test("are all readable, and link to existing pages", async () => {
    for (const summary of pages) {
      const page = await read<DocDetail>(summary.url);
      expect(page).toMatchObject(summary);
      expect(page.canonical_url).toBe(`http://assay.test${summary.url}`);
      expect(page.body_markdown).not.toContain("{{");
      for (const link of page.related) {
        expect(link.slug).not.toBe(summary.slug);
        expect(pages).toContainEqual(expect.objectContaining(link));
      }
    }
  });

  test("include guides, capabilities, use cases, and every error code", () => {
    const slugs = (kind: DocSummary["kind"]) => pages.filter((page) => page.kind === kind).map((page) => page.slug);
    expect(slugs("guide")).toEqual(expect.arrayContaining(["quickstart", "idempotency", "credits", "receipts"]));
    expect(slugs("reference")).toEqual(expect.arrayContaining(["limits", "support", "changelog"]));
    expect(slugs("capability")).toEqual(["echo", "solo", "brief", "entitled"]);
    expect(slugs("use_case")).toEqual(["triage", "commercial"]);
    expect(slugs("error")).toEqual(errorCodes);
  });

  test("include the repository's changelog, without broken references", async () => {
    const { body_markdown } = await read<DocDetail>("/v1/docs/changelog");
    const [, ...releases] = (await Bun.file(`${import.meta.dir}/../../CHANGELOG.md`).text()).split("\n## ");
    const withoutTargets = (text: string): string => text.replace(/\]\([^()]+\)/g, "]");
    for (const release of releases)
      expect(withoutTargets(body_markdown)).toContain(`## ${withoutTargets(release).trimEnd()}`);
    expect(body_markdown).toContain("[the upgrade guide](upgrading)");
    expect(body_markdown).not.toContain("at the end of `/llms.txt`");
  });

  test("about an error state its status, when it occurs and what to do", async () => {
    for (const code of errorCodes) {
      const { body_markdown } = await read<DocDetail>(`/v1/docs/${code}`);
      expect(body_markdown).toStartWith(`HTTP status ${statusOf(code)}.`);
      for (const heading of ["## When", "## What to do", "## Retry"]) expect(body_markdown).toContain(heading);
    }
  });

  test("about a capability state its contract as in its manifest", async () => {
    const { body_markdown } = await read<DocDetail>("/v1/docs/echo");
    expect(body_markdown).toContain("| Live run | 500 credits at most |");
    expect(body_markdown).toContain("2 runs a firm with `mode: trial`.");
    expect(body_markdown).toContain("| `text` | string, 1-200 characters | yes |");
  });

  test("about a use case state each step and its maximum price", async () => {
    const { body_markdown } = await read<DocDetail>("/v1/docs/triage");
    expect(body_markdown).toContain("| Maximum price | 1500 credits |");
    expect(body_markdown).toContain("| `names` | `names` | Names | 700 | yes |");
  });

  test("about a firm's private capability do not exist, are not found, and are in no list", async () => {
    expect((await world.ask("/v1/docs/hidden")).status).toBe(404);
    expect((await search("hidden")).map((page) => page.slug)).not.toContain("hidden");
    expect(pages.map((page) => page.slug)).not.toContain("hidden");
    expect(await (await world.ask("/llms.txt")).text()).not.toContain("`hidden`");
  });

  test("that do not exist are not_found, without repeating their name", async () => {
    const response = await world.ask("/v1/docs/no-such-page-7f3a");
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(JSON.parse(text).error.code).toBe("not_found");
    expect(text).not.toContain("7f3a");
  });

  test("name only endpoints that are served", async () => {
    const guides = pages.filter(({ kind }) => kind === "guide" || kind === "reference");
    for (const { url } of guides) {
      const { body_markdown } = await read<DocDetail>(url);
      for (const [, method = "", path = ""] of body_markdown.matchAll(/`(GET|POST|DELETE|PATCH) (\/[^`]+)`/g))
        expect({ url, served: document.paths[path]?.[method.toLowerCase()] !== undefined, path }).toEqual({
          url,
          served: true,
          path,
        });
    }
  });

  test("start headings at the second level, so that a page can be part of a longer text", async () => {
    for (const { url, body } of await bodies()) {
      const outside = body.split(/^```.*$/m).filter((_, i) => i % 2 === 0);
      expect({ url, first: outside.some((part) => /^# /m.test(part)) }).toEqual({ url, first: false });
    }
  });

  test(`describe a field's values in readable words: no invisible characters, and "1 item" in the singular`, async () => {
    for (const { url, body } of await bodies()) {
      expect({ url, unseen: /[\u00ad\u115f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164]/u.test(body) }).toEqual({
        ...{ url, unseen: false },
      });
      expect({ url, plural: /\b(?:least|most|exactly) 1 (?:items|characters)\b/.test(body) }).toEqual({
        url,
        plural: false,
      });
    }
    expect((await read<DocDetail>("/v1/docs/limits")).body_markdown).toContain("not only blanks");
  });

  test("describe each reason for the end of a run", () => {
    const without = reasonMessage("no such reason");
    for (const reason of runReasons) expect(reasonMessage(reason)).not.toBe(without);
  });

  test("are sent again only if they have changed, as are the list and a search", async () => {
    for (const path of ["/v1/docs", "/v1/docs/credits", "/v1/docs/search?q=credits", "/llms.txt"]) {
      const etag = present((await world.ask(path)).headers.get("etag"), "an ETag");
      expect((await world.ask(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await world.ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
      expect((await world.ask(path, { method: "HEAD" })).headers.get("etag")).toBe(etag);
    }
  });
});

describe("search", () => {
  test("ranks a word in a title first", async () => {
    expect((await search("idempotency"))[0]?.slug).toBe("idempotency");
    expect((await search("receipts"))[0]?.slug).toBe("receipts");
  });

  test("finds an error code's page", async () => {
    for (const code of errorCodes) expect((await search(code))[0]?.slug).toBe(code);
  });

  test("matches an unfinished last word, and ignores accents and case", async () => {
    const slugs = async (q: string) => (await search(q)).map((page) => page.slug).sort();
    expect(await slugs("IDÉMPOT")).toEqual(await slugs("idempotency"));
  });

  test("finds the page that answers a question, even without every word", async () => {
    const found = await search("wherewithal to verify the signature of a receipt with public keys");
    expect(found.map((page) => page.slug)).toContain("receipts");
  });

  test("returns no more than the limit", async () => {
    expect(await search("the", 3)).toHaveLength(3);
    expect((await search("the")).length).toBe(10);
    expect((await search("the", 25)).length).toBeGreaterThan(10);
  });

  test("treats operators, quotes and punctuation as text", async () => {
    const nothing = ['""', "**", "()", "^^", "--", "::", '"*', "  ", "💶💶", "'';", "-_-"];
    for (const q of nothing) expect({ q, found: await search(q) }).toEqual({ q, found: [] });
    const words = [
      "credits AND",
      "NEAR(credits",
      'credits" OR "1',
      "NOT credits",
      "title:credits",
      "credits*",
      "-credits",
    ];
    for (const q of words) expect({ q, some: (await search(q)).length > 0 }).toEqual({ q, some: true });
  });

  test("accepts any text as a query", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 2, maxLength: 40 }), async (q) => {
        const response = await world.ask(`/v1/docs/search?q=${encodeURIComponent(q)}`);
        expect(q.length > 200 ? 422 : 200).toBe(response.status);
      }),
      { numRuns: 300 },
    );
  });

  test("refuses invalid values at their path", async () => {
    const cases: [query: string, place: string][] = [
      ["q=a", "/query/q"],
      [`q=${"a".repeat(201)}`, "/query/q"],
      ["limit=5", "/query/q"],
      ["q=credits&limit=0", "/query/limit"],
      ["q=credits&limit=26", "/query/limit"],
      ["q=credits&limit=0x5", "/query/limit"],
    ];
    for (const [query, place] of cases) {
      const response = await world.ask(`/v1/docs/search?${query}`);
      const { error } = (await response.json()) as { error: { code: string; details: { path: string }[] } };
      expect([response.status, error.code, error.details[0]?.path]).toEqual([422, "validation_error", place]);
    }
  });
});

describe("the reference as text", () => {
  test("is the same under both names, and Markdown", async () => {
    const [text, alias] = [await world.ask("/llms.txt"), await world.ask("/docs.md")];
    expect(text.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const whole = await text.text();
    expect(await alias.text()).toBe(whole);
    expect(whole).toStartWith("# Assay API reference\n");
    expect(whole).not.toContain("undefined");
  });

  test("has every endpoint that is served, every schema and every error code", async () => {
    const text = await (await world.ask("/llms.txt")).text();
    for (const [path, item] of Object.entries(document.paths))
      for (const method of Object.keys(item)) expect(text).toContain(`\n#### ${method.toUpperCase()} ${path}\n`);
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`\n### ${name}\n`);
    for (const code of errorCodes) expect(text).toContain(`| ${statusOf(code)} | \`${code}\` |`);
  });

  test("states for each endpoint who may call it, its input and its responses", async () => {
    const text = await (await world.ask("/llms.txt")).text();
    const runs = text.slice(text.indexOf("#### GET /v1/runs\n"), text.indexOf("#### GET /v1/runs/{run_id}\n"));
    expect(runs).toContain("Needs the scope `runs:read`.");
    expect(runs).toContain("- credential: API key or access token");
    expect(runs).toContain("- query `limit`: integer, 1-100, default 50.");
    expect(runs).toContain("- responses: 200 `RunList`; refused with 401, 403, 404, 422");
  });
});

describe("files of pages", () => {
  test("are served here, cached for a year", async () => {
    const html = await (await world.ask("/docs/api/getRun")).text();
    const files = [...html.matchAll(/(?:src|href)="\.\.\/\.\.(\/docs\/assets[^"]+)"/g)].map(([, path = ""]) => path);
    const types = await Promise.all(
      files.map(async (path) => {
        const response = await world.ask(path);
        expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect((await response.bytes()).length).toBeGreaterThan(100);
        return response.headers.get("content-type");
      }),
    );
    const script = "text/javascript; charset=utf-8";
    expect(types).toEqual(["image/svg+xml", "text/css; charset=utf-8", script, script]);
  });

  test("with another name, or of another edition, are not found", async () => {
    for (const path of ["/docs/assets/1.0.0/docs.js", "/docs/assets/x/constructor", "/docs/assets/docs.js"])
      expect((await world.ask(path)).status).toBe(404);
  });
});
