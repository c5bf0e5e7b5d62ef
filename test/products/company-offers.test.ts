import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readPage } from "../../src/products/capabilities/company-intelligence/page.ts";
import { profileOf as profileOfSite } from "../../src/products/capabilities/company-intelligence/site-profile.ts";
import { filler, type Pages, profileOf } from "../support/company-sites.ts";

const offerOf = async (pages: Pages) => {
  const { products_services, confidence, notes = [], evidence = [] } = await profileOf(pages);
  const places = evidence.flatMap(({ field, place }) => (field === "products_services" ? [place] : []));
  return { products_services, confidence: confidence?.products_services ?? 0, notes, places };
};
const cards = (...texts: readonly string[]) =>
  texts
    .map((text) => `<div><div>${text}</div><p>Done in a day by people of our own, all year round.</p></div>`)
    .join("");
const trades =
  "Roof repair|Gutter cleaning|Chimney sweeping|Window cleaning|Lawn mowing|Hedge trimming|Tree surgery|Garden design|Patio laying|Fence building|Pond digging|Snow clearing|House painting|Floor sanding|Tile laying|Wall plastering|Drain clearing|Boiler servicing|Lock fitting|Pest control".split(
    "|",
  );

describe("an offer is found wherever a page names it", () => {
  test("in boxes that are neither headings nor links", async () => {
    const page = `<title>Firm</title><h2>Our services</h2>${cards("Gutter cleaning", "Chimney sweeping", "Window cleaning")}${filler}`;
    const { products_services, places } = await offerOf({ "/": page });
    expect(products_services.toSorted()).toEqual(["Chimney sweeping", "Gutter cleaning", "Window cleaning"]);
    expect(new Set(places)).toEqual(new Set(["text below Our services"]));
  });

  test("in a sentence that lists it", async () => {
    const page = `<title>Firm</title><h1>Welcome</h1><p>We offer bookkeeping, payroll accounting, tax returns and company formation to firms of any size in the region.</p>${filler}`;
    const { products_services } = await offerOf({ "/": page });
    expect(products_services).toEqual(expect.arrayContaining(["tax returns", "payroll accounting"]));
  });

  test("on a further page about offers, but not on one about the firm", async () => {
    const { products_services, places } = await offerOf({
      "/": `<title>Firm</title><nav><a href=/services>Services</a><a href=/about>About us</a></nav>${filler}`,
      "/services": `<title>Services</title>${["Roof repair", "Gutter cleaning"].map((text) => `<h2>${text}</h2><p>Ask us.</p>`).join("")}`,
      "/about": "<title>About</title><h2>Garden Smith</h2><h2>Window cleaning champions</h2>",
    });
    expect(products_services.toSorted()).toEqual(["Gutter cleaning", "Roof repair"]);
    expect(places).toContain("heading below services");
  });
});

describe("a service that the site says it does not offer is not an offer", () => {
  const offered =
    "<h2>Our services</h2><ul><li>Motor insurance</li><li>Home insurance</li><li>Travel insurance</li></ul>";
  const given = async (html: string) => {
    const { products_services } = await offerOf({ "/": `<title>Firm</title>${offered}${html}${filler}` });
    return products_services.filter((text) => !/^(Motor|Home|Travel) insurance$/.test(text));
  };

  test.each([
    "<p>We do not offer life insurance, health insurance or pensions.</p>",
    "<h2>What we don’t offer</h2><ul><li>Life insurance</li><li>Health insurance</li></ul>",
    "<h2>What we do not do</h2><h3>Life insurance</h3><p>Not ours.</p><h3>Pensions</h3><p>Nor these.</p>",
    "<p>We do not currently offer:</p><ul><li>Life insurance</li><li>Pensions</li></ul>",
    "<h3>Not included</h3><ul><li>Health insurance</li><li>Mortgage cover</li></ul>",
    "<p>Wir bieten keine Lebensversicherung, keine Krankenversicherung und keine Rentenversicherung an.</p>",
    "<h2>Was wir nicht anbieten</h2><ul><li>Lebensversicherung</li><li>Krankenversicherung</li></ul>",
    "<h2>Nicht im Angebot</h2><ul><li>Lebensversicherung</li><li>Krankenversicherung</li></ul>",
    "<p>Keine Krankenversicherung</p>",
    "<p>Nenabízíme životní pojištění, hypotéky ani investice.</p>",
    "<p>Životní pojištění, hypotéky a investice nenabízíme.</p>",
    "<h2>Co nenabízíme</h2><ul><li>Životní pojištění</li><li>Hypotéky</li></ul>",
    "<p>Nesprostredkúvame hypotéky, investície a životné poistenie.</p>",
    "<h2>Čo neponúkame</h2><ul><li>Životné poistenie</li><li>Hypotéky</li></ul>",
    "<p>Nie oferujemy ubezpieczeń na życie, ubezpieczeń zdrowotnych ani kredytów.</p>",
    "<h2>Czego nie oferujemy</h2><ul><li>Ubezpieczenia na życie</li><li>Ubezpieczenia zdrowotne</li></ul>",
    "<p>Nem foglalkozunk életbiztosítással, nyugdíjbiztosítással, hitelekkel.</p>",
    "<h2>Amit nem kínálunk</h2><ul><li>Életbiztosítás</li><li>Nyugdíjbiztosítás</li></ul>",
  ])("%s", async (html) => {
    expect(await given(html)).toEqual([]);
  });

  test.each([
    ["<p>We do not only offer life insurance, we also offer health insurance and mortgages.</p>", "life insurance"],
    ["<p>Nenabízíme jen životní pojištění, hypotéky a investice, ale i poradenství.</p>", "hypotéky"],
    ["<p>There is nothing we do not insure: pets insurance, health insurance, boats.</p>", "health insurance"],
    ["<ul><li>No fault insurance</li><li>No exam life insurance</li></ul>", "No fault insurance"],
  ])("an apparent negation is not one: %s", async (html, offer) => {
    expect(await given(html)).toContain(offer);
  });

  test("a negation ends at a sentence that states an offer again", async () => {
    const mixed =
      "<p>We don't sell life insurance, mortgages or pensions, but we offer liability insurance, legal insurance and pet insurance.</p>";
    expect((await given(mixed)).toSorted()).toEqual(["legal insurance", "liability insurance", "pet insurance"]);
  });
});

test("file names and image numbers are not offers", async () => {
  const entries = ["Roof repair", "chomba.html", "price-list.pdf", "shutterstock299908547", "Gutter cleaning"];
  const list = entries.map((text) => `<li><a href=/x/${text.length}>${text}</a></li>`).join("");
  const { products_services } = await offerOf({
    "/": `<title>Firm</title><h2>Our services</h2><ul>${list}</ul>${filler}`,
  });
  expect(products_services.toSorted()).toEqual(["Gutter cleaning", "Roof repair"]);
});

describe("offers are limited in number, with a confidence", () => {
  const listOf = (texts: readonly string[]) =>
    `<title>Firm</title><h2>Our services</h2><ul>${texts.map((text, at) => `<li><a href=/services/${at}>${text}</a></li>`).join("")}</ul>${filler}`;

  test("to fifteen, and a note says that there are more", async () => {
    const all = await offerOf({ "/": listOf(trades) });
    expect(all.products_services).toHaveLength(15);
    expect(all.notes.join("\n")).toContain("name more products and services than the fifteen most certain");
    const few = await offerOf({ "/": listOf(trades.slice(0, 5)) });
    expect(few.products_services.toSorted()).toEqual(trades.slice(0, 5).toSorted());
    expect(few.notes.join("\n")).not.toContain("more products");
  });

  test("and a list below the offer's heading has a higher confidence than a single heading", async () => {
    const listed = await offerOf({ "/": listOf(trades.slice(0, 5)) });
    const lone = await offerOf({ "/": `<title>Jan Veselý</title><h2>Klasické masáže</h2>${filler}` });
    expect(lone.products_services).toEqual(["Klasické masáže"]);
    expect(listed.confidence).toBeGreaterThan(lone.confidence);
    expect(lone.confidence).toBeGreaterThan(0);
  });

  test("to fifteen per page, without duplicates, each with its evidence, and always the same", () => {
    const text = fc.constantFrom(...trades, "Home", "Contact us", "Our team", "Products", "Praha", "<b>", "12", "");
    const element = fc.constantFrom("h2", "li", "div", "p", "a href=/services/x");
    const block = fc.tuple(element, text).map(([name, said]) => `<${name}>${said}</${name.split(" ")[0]}>`);
    fc.assert(
      fc.property(fc.array(block, { maxLength: 80 }), (blocks) => {
        const page = readPage(`<title>Firm</title>${blocks.join("")}`, "https://firm.cz/");
        if (!page) return false;
        const site = { pages: [page], label: "firm", tld: "cz" } as const;
        const { products_services, confidence, evidence } = profileOfSite(site, []);
        expect(profileOfSite(site, []).products_services).toEqual(products_services);
        expect(new Set(products_services).size).toBe(products_services.length);
        const told = evidence?.flatMap(({ field, value }) => (field === "products_services" ? [value] : []));
        expect(told).toEqual(products_services);
        const sure = confidence?.products_services ?? -1;
        return products_services.length <= 15 && sure >= 0 && sure <= 1 && sure > 0 === products_services.length > 0;
      }),
      { numRuns: 100 },
    );
  });
});

test("a name from a page's head is never markup", async () => {
  const { company_name } = await profileOf({
    "/": `<html><head><title>Firm</title><meta property="og:site_name" content="Firm &lt;script&gt;alert(1)&lt;/script&gt;"></head><body>${filler}</body></html>`,
  });
  expect(company_name).not.toContain("<script");
});
