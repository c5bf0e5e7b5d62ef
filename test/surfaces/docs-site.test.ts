import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { load } from "cheerio";
import { settingNames } from "../../src/config/settings.ts";
import { errorCodes } from "../../src/platform/errors.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import type { DocSummary } from "../../src/surfaces/docs/schema.ts";
import { render } from "../../src/surfaces/docs/site/render.ts";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { World } from "../support/harness.ts";

/** The links in a record. */
interface CapabilityRecord {
  readonly documentation_url: string;
  readonly support_url: string;
  readonly changelog_url: string;
  readonly try_url: string;
}

const base = "http://assay.test";
let world: World;
let pages: DocSummary[];
let document: OpenApi;
let operations: string[];

beforeAll(async () => {
  world = await World.open(undefined, { capabilities, useCases, stepEngines: {} });
  pages = (await (await world.ask("/v1/docs")).json()) as DocSummary[];
  document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

const htmlAt = async (path: string): Promise<string> => (await world.ask(path)).text();

/** Returns the path of every page of the site. */
const allPaths = (): string[] => [
  ...["/docs", "/docs/reference", "/docs/api", "/docs/search?q=receipt", "/docs/search", "/receipts/check"],
  ...pages.map(({ slug }) => `/docs/${slug}`),
  ...operations.flatMap((id) => [`/docs/reference/${id}`, `/docs/api/${id}`]),
];

describe("every page of the site", () => {
  test("is served, has one title, and no inline script or style", async () => {
    for (const path of allPaths()) {
      const response = await world.ask(path);
      const text = await response.text();
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      expect({ path, titles: load(text)("h1").length }).toEqual({ path, titles: 1 });
      expect({ path, written: text.match(/<script(?![^>]* src=)|<style|\son\w+="|\sstyle="/) }).toEqual({
        path,
        written: null,
      });
      expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'; script-src 'self';");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("has no broken links: every link, file and fragment is followed", async () => {
    const wanted = new Map<string, string>();
    const fragments: { readonly from: string; readonly to: string; readonly id: string }[] = [];
    for (const path of allPaths()) {
      const page = load(await htmlAt(path));
      for (const element of page("a[href], link[href], script[src], form[action]")) {
        const { href, src, action } = element.attribs;
        const url = new URL(href ?? src ?? action ?? "", base + path);
        if (url.origin !== base) continue;
        if (url.hash !== "")
          fragments.push({ from: path, to: url.pathname, id: decodeURIComponent(url.hash.slice(1)) });
        url.hash = "";
        if (!wanted.has(url.href)) wanted.set(url.href, path);
      }
    }
    expect(wanted.size).toBeGreaterThan(300);
    const missing: string[] = [];
    for (const [url, from] of wanted) {
      const { status } = await world.ask(url.slice(base.length));
      if (status >= 400) missing.push(`${from} leads to ${url}, which is ${status}`);
    }
    expect(missing).toEqual([]);
    const ids = new Map<string, Set<string>>();
    for (const { to } of fragments)
      if (!ids.has(to)) ids.set(to, new Set(load(await htmlAt(to))("[id]").map((_, { attribs }) => attribs.id ?? "")));
    expect(fragments.filter(({ to, id }) => !ids.get(to)?.has(id))).toEqual([]);
  });

  test("is sent again only if it has changed, and so is its Markdown", async () => {
    for (const path of [
      "/docs",
      "/docs/runs",
      "/docs/runs.md",
      "/docs/reference/getRun",
      "/docs/reference/getRun.md",
    ]) {
      const etag = (await world.ask(path)).headers.get("etag") ?? "";
      expect((await world.ask(path, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await world.ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });
});

describe("the links in the catalogue's records", () => {
  test("are valid", async () => {
    const { items } = (await (await world.ask("/v1/capabilities")).json()) as { items: CapabilityRecord[] };
    for (const { documentation_url, support_url, changelog_url } of items)
      for (const url of [documentation_url, support_url, changelog_url])
        expect({ url, status: (await world.ask(url)).status }).toEqual({ url, status: 200 });
    // The console asks a signed-out user to sign in first; a path without a page is not one of its own.
    for (const { try_url } of items) {
      expect({ try_url, status: (await world.ask(try_url)).status }).toEqual({ try_url, status: 302 });
      expect(try_url).toMatch(/^\/console\/capabilities\/[\w-]+$/);
    }
  });
});

describe("the reference", () => {
  test("has a page for every operation, in the order of the tags, with runs first", async () => {
    const listed = load(await htmlAt("/docs/reference"))("main a[href*='reference/']");
    const ids = listed.map((_, { attribs }) => attribs.href?.split("/").at(-1)).get();
    expect([...ids].sort()).toEqual([...operations].sort());
    expect(ids[0]).toBe("createCapabilityRun");
    expect(
      load(await htmlAt("/docs/api"))("main h2")
        .first()
        .text(),
    ).toBe("Runs");
  });

  test("shows an operation's request, parameters, fields, a response and its error codes", async () => {
    const page = load(await htmlAt("/docs/reference/createUseCaseRun"));
    const titles = page("main h2")
      .map((_, heading) => page(heading).text())
      .get();
    expect(titles).toEqual(["Example", "Parameters", "Body", "Responses", "Errors"]);
    expect(page("main .lead").text()).toContain("POST /v1/use-cases/{slug}/runs");
    expect(
      page(".tabs .code")
        .map((_, { attribs }) => attribs["data-tab"])
        .get(),
    ).toEqual(["curl", "TypeScript", "Python"]);
    const text = page("main").text();
    for (const part of ["Idempotency-Key", "quote_id", "charges.charged_credits", "validation_error", '"status"'])
      expect(text).toContain(part);
  });
});

test("shows an operation's example with the credential that it requires, and its form asks for no other", async () => {
  let forBrowsers = 0;
  for (const { operationId, security } of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const isForBrowser = security.some((alternative) => Object.hasOwn(alternative, "browserSession"));
    const takesKey = security.length > 0 && !isForBrowser;
    const example = load(await htmlAt(`/docs/reference/${operationId}`))(".code").text();
    const fields = load(await htmlAt(`/docs/api/${operationId}`))("[data-place=key]").length;
    expect([operationId, example.includes("Authorization"), fields]).toEqual([operationId, takesKey, takesKey ? 1 : 0]);
    forBrowsers += Number(isForBrowser);
  }
  expect(forBrowsers).toBeGreaterThan(20);
});

describe("Markdown for machines", () => {
  test("has every page separately, with the content of the page", async () => {
    for (const { slug, title } of pages) {
      const response = await world.ask(`/docs/${slug}.md`);
      expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(await response.text()).toStartWith(`# ${title}\n`);
    }
    for (const id of operations) expect((await world.ask(`/docs/reference/${id}.md`)).status).toBe(200);
  });

  test("has an llms.txt that starts with an index of valid addresses", async () => {
    const text = await htmlAt("/llms.txt");
    const [index = ""] = text.split("\n## Guides\n");
    const links = [...index.matchAll(/^- \[[^\]]+\]\((\S+)\)/gm)].map(([, url = ""]) => url);
    expect(links).toHaveLength(pages.length + operations.length);
    for (const url of links) expect((await world.ask(url.replace(base, ""))).status).toBe(200);
  });

  test("has no relative link in the whole text", async () => {
    const outside = (await htmlAt("/llms.txt")).split(/^```.*$/m).filter((_, i) => i % 2 === 0);
    const links = outside.flatMap((part) => [...part.matchAll(/\]\(([^)\s]+)\)/g)].map(([, url = ""]) => url));
    expect(links.filter((url) => !URL.canParse(url))).toEqual([]);
  });
});

describe("pages generated from the code", () => {
  test("include every setting with its variable", async () => {
    const text = load(await htmlAt("/docs/settings"))("main").text();
    for (const name of settingNames) expect(text).toContain(`ASSAY_${name.toUpperCase()}`);
  });

  test("include the files of docs/deploy on the proxies' page", async () => {
    const text = load(await htmlAt("/docs/reverse-proxies"))("main").text();
    for (const name of ["Caddyfile", "nginx.conf"])
      expect(text).toContain((await Bun.file(`${import.meta.dir}/../../docs/deploy/${name}`).text()).trim());
  });

  test("link an error code to its page, and an endpoint to its operation", async () => {
    const page = load(await htmlAt("/docs/errors"));
    const linked = page("main td a")
      .map((_, { attribs }) => attribs.href)
      .get();
    expect(linked).toEqual(expect.arrayContaining(errorCodes.map((code) => `../docs/${code}`)));
    expect(await htmlAt("/docs/receipts")).toContain('href="../docs/reference/getRunReceipt"');
  });
});

describe("searching", () => {
  const found = async (q: string) => {
    const page = load(await htmlAt(`/docs/search?q=${encodeURIComponent(q)}`));
    return page("main .found a")
      .map((_, { attribs }) => attribs.href)
      .get();
  };

  test("finds guides and operations, and keeps the query", async () => {
    expect((await found("receipts"))[0]).toBe("../docs/receipts");
    expect(await found("cancel a run")).toContain("../docs/reference/cancelRun");
    expect(await htmlAt("/docs/search?q=%22%3E%3Cb%3E")).toContain('value="&quot;&gt;&lt;b&gt;"');
  });

  test("reports that nothing was found or the query is too short", async () => {
    expect(await htmlAt("/docs/search?q=zzzzqqqq")).toContain("No results.");
    expect(await htmlAt("/docs/search?q=a")).toContain("at least two letters");
    expect((await world.ask(`/docs/search?q=${"a".repeat(5000)}`)).status).toBe(200);
  });
});

describe("an unknown address", () => {
  test("is a page with status 404 and suggestions", async () => {
    for (const [path, meant] of [
      ["/docs/quickstrat", "../docs/quickstart"],
      ["/docs/reference/getRuns", "../../docs/reference/getRun"],
      ["/docs/api/listRun", "../../docs/reference/listRuns"],
    ] as const) {
      const response = await world.ask(path);
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(await response.text()).toContain(`href="${meant}"`);
    }
    expect((await world.ask("/docs/nothing-like-it.md")).status).toBe(404);
    expect((await world.ask("/docs/constructor")).status).toBe(404);
  });
});

describe("rendering", () => {
  const links = { of: (target: string) => target, ofCode: () => undefined };
  const shown = (markdown: string) => load(render(markdown, links).content.text);

  test("groups adjacent labelled blocks, and no others", () => {
    const page = shown("```sh curl\na\n```\n\n```ts TypeScript\nb\n```\n\n```sh\nc\n```\n\n```sh alone\nd\n```");
    expect(page(".tabs")).toHaveLength(1);
    expect(page(".tabs .code")).toHaveLength(2);
    expect(page(".code")).toHaveLength(4);
  });

  test("gives headings unique addresses, even if two have the same text", () => {
    const { headings } = render("## A thing\n\n### Žlutý\n\n## A thing\n\n#### deep", links);
    expect(headings.map(({ id }) => id)).toEqual(["a-thing", "žlutý", "a-thing-2"]);
  });

  test("treats markup in text or code as text", () => {
    const page = shown('<script>alert(1)</script>\n\n```sh\n<b>&"\n```\n\n`<i>` [x](javascript:alert(1))');
    expect(page("script, b, i, a")).toHaveLength(0);
    expect(page("pre").text()).toBe('<b>&"');
  });

  test("omits the head of a table if it has no words", () => {
    expect(shown("| | |\n|---|---|\n| a | b |")("thead")).toHaveLength(0);
    expect(shown("| x | y |\n|---|---|\n| a | b |")("th[scope=col]")).toHaveLength(2);
  });
});
