import { describe, expect, test } from "bun:test";
import { filler, profileOf } from "../support/company-sites.ts";

const profile = (page: string) => profileOf({ "/": `${page}${filler}` });
const nameOf = async (page: string) => (await profile(page)).company_name;
const productsOf = async (page: string) => (await profile(page)).products_services;

describe("a slogan, a trade mark or a credit is not a name", () => {
  test.each([
    ["a slogan", "<title>Your roof, our promise!</title><footer>© 2024 Dachwerk Nord</footer>", "Dachwerk Nord"],
    [
      "a credit with a legal form",
      "<title>Novák Roofing</title><footer><p>© 2024 Novák Roofing. Web design by Pixel Studio Ltd.</p></footer>",
      "Novák Roofing",
    ],
    [
      "a credit after a colon",
      "<title>Truhlářství Lípa</title><footer><p>Realizace: Grafika: Modrý Pixel s.r.o.</p></footer>",
      "Truhlářství Lípa",
    ],
    [
      "another's trade mark",
      "<title>Harbour Boats</title><footer><p>© 2024 Harbour Boats. CleverBox is a registered trademark of Clever Holdings Inc.</p></footer>",
      "Harbour Boats",
    ],
    ["reserved rights", "<title>Kim Tailor LCSW</title><footer>© All Rights Reserved</footer>", "Kim Tailor LCSW"],
    [
      "a year and a bar before the holder",
      "<title>https://firm.cz/</title><footer>@copyright 2023 | Lipa Group of Industries | All right reserved</footer>",
      "Lipa Group of Industries",
    ],
    [
      "a full stop in a holder's title",
      "<title>Dr. med. dent. Anna Lang – Zahnarzt Seeburg</title><footer>© Dr. med. dent. Anna Lang | Impressum</footer>",
      "Dr. med. dent. Anna Lang",
    ],
    ["a legal form alone", "<title>Josef Novák | s.r.o.</title>", "Josef Novák s.r.o."],
  ])("%s", async (_, page, name) => {
    expect(await nameOf(page)).toBe(name);
  });
});

test("a domain that spells an umlaut with two letters identifies its company", async () => {
  const page = `<title>Bürgi Umzüge und Transporte | Umzugsfirma in Thun, Spiez</title>${filler}`;
  expect((await profileOf({ "/": page }, "buergiumzuege.ch")).company_name).toBe("Bürgi Umzüge und Transporte");
});

test("the marker of the current page for screen readers is not part of a menu entry", async () => {
  const page = `<title>Firm</title><nav><ul><li><a href="/home">Home <span>(current)</span></a></li><li><a href="/a">Roof Repair</a></li></ul></nav>
    <h2>Our services</h2><h3>Roof Repair</h3>`;
  expect(await productsOf(page)).toEqual(["Roof Repair"]);
});

describe("a place or a call to action is not a product", () => {
  const menu = (...entries: readonly string[]) =>
    `<nav><ul>${entries.map((text, at) => `<li><a href="/${at}">${text}</a></li>`).join("")}</ul></nav>`;

  test("the towns of the company's addresses, and the country", async () => {
    const page = `<title>Firm: Window Cleaning</title>${menu("Window Cleaning", "Mobile", "Greater Mobile Area", "Canada", "Gutter Cleaning")}
      <p>456 Main St, Mobile, AL 36602</p>`;
    expect((await productsOf(page)).toSorted()).toEqual(["Gutter Cleaning", "Window Cleaning"]);
  });

  test("entries below a heading for places, people or reasons", async () => {
    const page = `<title>Firm</title><h2>Our services</h2><h3>Roof Repair</h3><h3>Gutter Installation</h3>
      <h2>Areas we serve</h2><ul><li><a href=/a>Solar Valley</a></li></ul><h3>Cleaning District</h3>
      <h2>Our team</h2><h3>Garden Smith</h3><h2>Why choose us</h2><h3>Quality Installation Work</h3>`;
    expect((await productsOf(page)).toSorted()).toEqual(["Gutter Installation", "Roof Repair"]);
  });

  test("calls to action, and pages that every site has", async () => {
    const page = `<title>Firm</title><nav><ul><li><a href=/p>Products</a><ul>${[
      "Garden Sheds",
      "Shop All Sheds",
      "Buy Now",
      "Billing Information",
      "Build &amp; Price",
      "Customer Picture Gallery",
    ]
      .map((text, at) => `<li><a href=/${at}>${text}</a></li>`)
      .join("")}</ul></li></ul></nav>`;
    expect(await productsOf(page)).toEqual(["Garden Sheds"]);
  });
});

describe("an offer is found", () => {
  test("in a section after one that has only its heading, and in buttons without an address", async () => {
    const page = `<title>Firm</title><section><div><h2>Products</h2></div></section>
      <section><a role=button>Wire Rods</a><a role=button>Sponge Iron</a></section><section><h2>Contact</h2><p>Call us.</p></section>`;
    expect((await productsOf(page)).toSorted()).toEqual(["Sponge Iron", "Wire Rods"]);
  });

  test("with a Polish word that is a pronoun in English", async () => {
    const page = "<html lang=pl><title>Firm</title><h2>Oferta</h2><h3>Sprzedaż ciepła i energii</h3>";
    expect(await productsOf(page)).toEqual(["Sprzedaż ciepła i energii"]);
  });

  test("after the company's name and words of praise", async () => {
    const page = `<title>Firm - Professional, Loving, Customized Pet Care</title><ul>${["Trout Flies", "Salmon Flies"]
      .map((text, at) => `<li><a href=/products/${at}>Firm - ${text}</a></li>`)
      .join("")}</ul>`;
    expect((await productsOf(page)).toSorted()).toEqual(["Pet Care", "Salmon Flies", "Trout Flies"]);
  });

  test("by the words of a trade, if nothing is repeated", async () => {
    const page = "<title>Jan Veselý</title><h2>Klasické masáže v Třebové</h2><p>Přijedu přímo k Vám.</p>";
    expect(await productsOf(page)).toEqual(["Klasické masáže v Třebové"]);
  });
});
