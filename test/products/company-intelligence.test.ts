import { describe, expect, test } from "bun:test";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { companyIntelligence } from "../../src/products/capabilities/company-intelligence/manifest.ts";
import {
  analyse,
  companies,
  failure,
  failureOf,
  filler,
  host,
  type Pages,
  profileOf,
  serve,
} from "../support/company-sites.ts";
import { World } from "../support/harness.ts";
import { testServices } from "../support/services.ts";

describe("a company is described from its own pages", () => {
  test.each([
    [
      "www.modry-destnik.cz",
      "Modrý Deštník",
      "insurance, Czechia",
      ["Pojištění vozidel", "Pojištění majetku", "Životní pojištění"],
    ],
    ["www.wolkenwerk.de", "Wolkenwerk GmbH", "Germany", ["Maklerverwaltung", "Vergleichsrechner"]],
    ["www.zielonalaka.pl", "Zielona Łąka", "Poland", ["Nasiona", "Narzędzia ogrodowe", "Doniczki"]],
    [
      "www.menuiserie-dubois.fr",
      "Menuiserie Dubois",
      "France",
      ["Fenêtres sur mesure", "Portes d'entrée", "Escaliers en bois"],
    ],
    ["queuely.io", "Queuely", "software", ["Appointment Scheduling Software"]],
    ["www.obla.eu", "Oblá pojišťovna", "Czechia and Slovakia", ["Cestovní pojištění", "Pojištění domova"]],
  ])("%s", async (name, company_name, market, products) => {
    await using served = await serve(companies);
    const result = await analyse(served, served.url(name));
    expect(result.company_name).toStartWith(company_name);
    expect(result.market).toContain(market);
    for (const product of products) expect(result.products_services).toContain(product);
    expect(result.products_services.length).toBeLessThanOrEqual(10);
  });

  test("its audience, businesses or consumers, is the one stated on the pages", async () => {
    await using served = await serve(companies);
    const audience = async (name: string) => (await analyse(served, served.url(name))).target_audience;
    expect(await audience("www.wolkenwerk.de")).toStartWith("businesses");
    expect(await audience("www.wolkenwerk.de")).toContain("Versicherungsmakler");
    expect(await audience("www.zielonalaka.pl")).toStartWith("consumers");
    expect(await audience("queuely.io")).toContain("dental clinics");
    expect(await audience("www.modry-destnik.cz")).toContain("rodiny a živnostníky");
  });

  test("each field has evidence: a page that was read, a place and words that are on it", async () => {
    await using served = await serve(companies);
    for (const name of Object.keys(companies)) {
      const { evidence = [], pages = [], products_services, confidence } = await analyse(served, served.url(name));
      expect(pages[0]).toBe(served.url(name));
      for (const { url } of evidence) expect(pages).toContain(url);
      for (const field of ["company_name", "market"] as const) {
        expect(evidence.filter((one) => one.field === field)).not.toEqual([]);
        expect(confidence?.[field]).toBeGreaterThan(0);
      }
      const proved = evidence.filter(({ field }) => field === "products_services").map(({ value }) => value);
      expect(proved).toEqual(products_services);
    }
  });

  test("the same pages give the same profile", async () => {
    await using served = await serve(companies);
    const url = served.url("www.modry-destnik.cz");
    expect(await analyse(served, url)).toEqual(await analyse(served, url));
  });

  test("pages in an old encoding are decoded", async () => {
    const bytes = Uint8Array.from(
      Buffer.from(
        `<title>P\xf8\xedli\x9a \x9elu\x9d s.r.o.</title><h1>Prodej p\xf8\xed\x9alu\x9aenstv\xed</h1>${filler}`,
        "latin1",
      ),
    );
    const served = (type: string) =>
      profileOf({ "/": () => new Response(bytes, { headers: { "content-type": type } }) });
    expect((await served("text/html; charset=windows-1250")).company_name).toBe("Příliš žluť s.r.o.");
    expect((await served("text/html")).company_name).toBe("Příliš žluť s.r.o.");
  });

  test("the published example is the result of such a page", async () => {
    const [example] = companyIntelligence.tools.flatMap(({ examples }) => examples);
    await using served = await serve({
      "example.com": {
        "/": "<!doctype html><title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in documentation examples.<p><a href='https://iana.org/domains/example'>Learn more</a>",
      },
    });
    expect(example?.input).toEqual({ company_url: "https://example.com/" });
    expect(await analyse(served, served.url("example.com"))).toMatchObject(
      example?.output_excerpt ?? { missing: true },
    );
  });

  test("a company's own trade is not its audience, unless the page says so", async () => {
    const audience = async (title: string, text: string) =>
      (await profileOf({ "/": `<title>${title}</title><h1>${title}</h1><p>${text}</p>${filler}` })).target_audience;
    const ships = "Our brokers find cover for ships. Independent brokers since 1990. Talk to our brokers.";
    expect(await audience("Marine insurance brokers", ships)).toBeNull();
    const village = "Broker, który zna wieś. Broker dla rolników. Nasz broker pomoże.";
    expect(await audience("Broker ubezpieczeniowy dla rolników", village)).toBe("“rolników”");
    expect(
      await audience("Ihr Makler in Köln", "Ihr Makler berät Sie. Unsere Makler helfen. Makler seit 1990."),
    ).toBeNull();
    expect(
      await audience("Zubní ordinace", "Naše ordinace je v centru. Ordinace přijímá. Ordinace má otevřeno."),
    ).toBeNull();
    expect(await audience("Software for brokers", "Brokers save time. Brokers like it.")).toContain("advisers");
    const wholesale = "A portal for brokers. Tools for independent brokers. Training for insurance brokers.";
    expect(await audience("Wholesale insurance brokers", wholesale)).toContain("advisers");
  });

  test("a number is not an audience, and a footer after a very long text is still read", async () => {
    const { target_audience, market } = await profileOf({
      "/": `<title>Firm</title><p>${"Item 60 of 60. ".repeat(9_000)}</p><footer>Phone +49 30 1234567, Berlin, Deutschland</footer>`,
    });
    expect(target_audience).toBeNull();
    expect(market).toContain("Germany");
  });

  test("missing information is reported, not guessed", async () => {
    const { company_name, target_audience, products_services, market, notes, confidence } = await profileOf({
      "/": `<title>Welcome</title><p>${"Lorem ipsum dolor sit amet. ".repeat(20)}`,
    });
    expect([company_name, target_audience, products_services]).toEqual(["Firm", null, []]);
    expect(market).toBe("Czechia");
    expect(confidence).toEqual({ company_name: 0.2, target_audience: 0, products_services: 0, market: 0.4 });
    expect(notes?.join("\n")).toMatch(/is its domain name[\s\S]*no products[\s\S]*whom they address/);
  });
});

describe("the client is polite", () => {
  const menu = `<title>Firm</title><nav>${[
    "products",
    "services",
    "solutions",
    "about",
    "contact",
    "imprint",
    "legal",
    "company",
    "shop",
  ]
    .map((one) => `<a href="/${one}">${one}</a>`)
    .join("")}</nav>${filler}`;
  const everyPage: Pages = Object.fromEntries(
    ["/", "/products", "/services", "/solutions", "/about", "/contact", "/imprint", "/legal", "/company", "/shop"].map(
      (path) => [path, menu],
    ),
  );
  const robots = (text: string): Pages => ({ "/robots.txt": () => new Response(text) });

  test("it requests robots.txt first, identifies itself, and reads at most six pages", async () => {
    await using served = await serve({ [host]: everyPage });
    const { pages } = await analyse(served, served.url(host));
    expect(served.asked[0]).toBe(`${host} /robots.txt`);
    expect(served.asked.length).toBe(7);
    expect(new Set(served.asked).size).toBe(served.asked.length);
    const expected = ["/", "/products", "/services", "/about", "/imprint", "/contact"];
    expect(pages).toEqual(expected.map((path) => served.url(host, path)));
    expect(served.agent()).toBe("AssayBot/1.2 (+https://assay.example.com/support)");
  });

  test("robots.txt is obeyed, for all agents and by name", async () => {
    for (const text of ["User-agent: *\nDisallow: /", "User-agent: AssayBot\nDisallow: /\n\nUser-agent: *\nAllow: /"]) {
      await using served = await serve({ [host]: { ...everyPage, ...robots(text) } });
      expect(await failure(served, served.url(host))).toEqual(["robots_disallowed", false]);
      expect(served.asked).toEqual([`${host} /robots.txt`]);
    }
  });

  test("pages excluded by robots.txt are skipped, and that is reported", async () => {
    await using served = await serve({ [host]: { ...everyPage, ...robots("User-agent: *\nDisallow: /about") } });
    const { pages, notes } = await analyse(served, served.url(host));
    expect(pages).not.toContain(served.url(host, "/about"));
    expect(served.asked).not.toContain(`${host} /about`);
    expect(notes).toContain("/about was not read: robots_disallowed.");
  });

  test("a robots.txt that is expensive to parse excludes the site", async () => {
    // As many rules for each of hundreds of agents, which a naive parser would store once per agent.
    const rules = `${"User-agent: a\n".repeat(300)}${"Allow: /\n".repeat(50_000)}`;
    expect(await failureOf({ ...everyPage, ...robots(rules) })).toEqual(["site_unreachable", false]);
    expect(await failureOf({ ...everyPage, ...robots(`#${"x".repeat(600_000)}`) })).toEqual([
      "site_unreachable",
      false,
    ]);
  });

  test("only one page is read of a site that requires long delays", async () => {
    await using served = await serve({ [host]: { ...everyPage, ...robots("User-agent: *\nCrawl-delay: 30") } });
    const { pages, notes } = await analyse(served, served.url(host));
    expect(pages?.length).toBe(1);
    expect(notes?.join()).toContain("long pauses");
  });

  test("an unreadable robots.txt forbids everything, a missing one nothing", async () => {
    const status = (code: number): Pages => ({ ...everyPage, "/robots.txt": () => new Response("", { status: code }) });
    expect(await failureOf(status(503))).toEqual(["site_unreachable", true]);
    expect((await profileOf(status(403))).company_name).toBe("Firm");
  });

  test("it stays on the site: other hosts are not followed, and a page that redirects elsewhere is not read", async () => {
    const away = () => Response.redirect(`http://other.example.org/`, 302);
    const pages: Pages = {
      ...everyPage,
      "/about": away,
      "/": menu.replace("/imprint", "http://other.example.org/imprint"),
    };
    await using served = await serve({ [host]: pages, "other.example.org": everyPage });
    const { notes } = await analyse(served, served.url(host));
    expect(served.asked.filter((line) => line.startsWith("other"))).toEqual([]);
    expect(notes).toContain("/about was not read: url_not_allowed.");
  });

  test("an address that has moved to another site is read there, by that site's rules", async () => {
    const moved = (port: string): Pages => ({ "/": () => Response.redirect(`http://new.example.org:${port}/`, 301) });
    await using target = await serve({ "new.example.org": { "/": `<title>Newname</title>${filler}` } });
    const { port } = new URL(target.url("new.example.org"));
    await using old = await serve({ [host]: moved(port) });
    const both = `${new URL(old.url(host)).port}`;
    const outbound = createOutbound({
      runtime: { ...systemRuntime, resolveHost: async () => ["127.0.0.1"] },
      allow_private: [`${host}:${both}`, `new.example.org:${port}`],
    });
    expect((await analyse({ ...old, outbound }, old.url(host))).company_name).toBe("Newname");
    expect(target.asked.slice(0, 2)).toEqual(["new.example.org /robots.txt", "new.example.org /"]);
  });

  test("a cancelled run sends no more requests", async () => {
    const controller = new AbortController();
    const page = () => {
      controller.abort(new Error("cancelled"));
      return new Response(menu, { headers: { "content-type": "text/html" } });
    };
    await using served = await serve({ [host]: { ...everyPage, "/": page } });
    expect(analyse(served, served.url(host), controller.signal)).rejects.toThrow("cancelled");
    await analyse(served, served.url(host), controller.signal).catch(() => undefined);
    expect(served.asked).not.toContain(`${host} /products`);
  });
});

describe("a site that can't be analysed is reported with a code", () => {
  const answer =
    (body: string | Uint8Array, type = "text/html", status = 200) =>
    () =>
      new Response(body, { status, headers: { "content-type": type } });

  test.each<[string, Pages["/"] & {}, [string, boolean]]>([
    ["a missing page", answer("gone", "text/html", 404), ["page_not_found", false]],
    ["a page behind a login", answer("no", "text/html", 401), ["site_refused", false]],
    ["an overloaded site", answer("later", "text/html", 503), ["site_unreachable", true]],
    ["a site that limits requests", answer("later", "text/html", 429), ["site_unreachable", true]],
    ["a document", answer("%PDF-1.7", "application/pdf"), ["not_html", false]],
    ["JSON", answer("{}", "application/json"), ["not_html", false]],
    [
      "a picture with a page's content type",
      answer(Uint8Array.from({ length: 2_000 }, (_, i) => (i % 2 ? 7 : 200))),
      ["not_html", false],
    ],
    ["an empty page", "", ["page_empty", false]],
    ["markup without text", "<!doctype html><html><body><div></div></body></html>", ["page_empty", false]],
    [
      "a page rendered by scripts",
      '<title>App</title><div id="root"></div><script src="/app.js"></script>',
      ["page_needs_javascript", false],
    ],
    [
      "a domain for sale",
      "<title>firm.cz</title><h1>This domain is for sale</h1><p>Make an offer.</p>",
      ["domain_parked", false],
    ],
    ["a domain for sale, in Czech", "<title>firm.cz</title><p>Tato doména je na prodej.</p>", ["domain_parked", false]],
    [
      "a server without a site",
      "<title>Welcome to nginx!</title><p>If you see this page, the server is running.</p>",
      ["domain_parked", false],
    ],
    ["a huge page", "x".repeat(2_000_001), ["page_too_large", false]],
    ["endless elements", "<div>".repeat(5_000), ["page_unreadable", false]],
    [
      "a redirect loop",
      () => new Response(null, { status: 302, headers: { location: "/" } }),
      ["site_unreachable", false],
    ],
    [
      "a redirect into the network",
      () => Response.redirect("http://169.254.169.254/latest/meta-data/"),
      ["url_not_allowed", false],
    ],
    [
      "a redirect to an internal name",
      () => Response.redirect("http://intern.example.org/"),
      ["url_not_allowed", false],
    ],
  ])("%s", async (_, page, expected) => {
    expect(await failureOf({ "/": page })).toEqual(expected);
  });

  test.each([
    "http://localhost/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://2130706433/",
    "http://printer/",
    "http://x.internal/",
  ])("the address %s", async (url) => {
    await using served = await serve({});
    expect(await failure(served, url)).toEqual(["url_not_allowed", false]);
    expect(served.asked).toEqual([]);
  });

  test("a server that is down is retryable", async () => {
    const served = await serve({ [host]: {} });
    await served[Symbol.asyncDispose]();
    expect(await failure(served, served.url(host))).toEqual(["site_unreachable", true]);
  });

  test("a page rendered by scripts is described from its head, with a note", async () => {
    const { company_name, notes } = await profileOf({
      "/": '<title>App</title><meta property="og:site_name" content="Firm Ltd"><meta name="description" content="Scheduling software for clinics"><div id="root"></div><script src="/a.js"></script>',
    });
    expect(company_name).toBe("Firm Ltd");
    expect(notes?.join()).toContain("JavaScript");
  });

  test("a redirect by the page is followed within the site", async () => {
    const pages: Pages = {
      "/": '<meta http-equiv="refresh" content="0; url=/cs/">',
      "/cs/": `<title>Firma</title>${filler}`,
    };
    expect((await profileOf(pages)).pages?.[0]).toEndWith("/cs/");
  });
});

test("a run over REST analyses the site, and logs neither its address nor its pages", async () => {
  await using served = await serve(companies);
  const services = {
    ...testServices({ runtime: systemRuntime, log: createLog(systemRuntime, "error") }),
    outbound: served.outbound,
  };
  await using world = await World.open(undefined, { capabilities: [companyIntelligence], useCases: [], services });
  await world.openGates("company-intelligence");
  const firm = await world.firm();
  const input = { company_url: served.url("www.modry-destnik.cz", "/?token=s3cret") };
  const run = await world.settled(firm, { slug: "company-intelligence", input });
  expect(run).toMatchObject({ status: "succeeded", engine: { name: "company-intelligence", model: null } });
  expect(run.result).toMatchObject({ company_name: expect.stringContaining("Modrý Deštník") });
  const refused = await world.settled(firm, {
    slug: "company-intelligence",
    input: { company_url: "http://10.0.0.1/?token=s3cret" },
  });
  expect(refused).toMatchObject({ status: "failed", status_reason: { code: "url_not_allowed" } });
  expect(world.logged.join("\n")).not.toMatch(/s3cret|modry-destnik/);
});
