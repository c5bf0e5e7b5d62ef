import { expect } from "bun:test";
import { EngineError } from "../../src/contracts/engine.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { problems } from "../../src/platform/validate.ts";
import { companyIntelligenceEngine } from "../../src/products/capabilities/company-intelligence/engine.ts";
import { CompanyIntelligenceOutput } from "../../src/products/capabilities/company-intelligence/schema.ts";
import { computing } from "./services.ts";

/** Websites of fictitious companies, served from loopback under their own host names. */

/** What a path returns: a page, or a whole response. */
export type Path = string | (() => Response);
export type Pages = Readonly<Record<string, Path>>;

const html = (body: string): Response =>
  new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });

export interface Served extends AsyncDisposable {
  /** Returns the URL of a path on a served host. */
  url(host: string, path?: string): string;
  /** `host path` of each request, in order; `agent` returns the last User-Agent. */
  readonly asked: string[];
  agent(): string;
  readonly outbound: ReturnType<typeof createOutbound>;
}

/** Serves sites by host name. Every other path returns 404, including robots.txt. */
export async function serve(sites: Readonly<Record<string, Pages>>): Promise<Served> {
  const asked: string[] = [];
  let agent = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request): Response {
      const { hostname, pathname } = new URL(request.url);
      asked.push(`${hostname} ${pathname}`);
      agent = request.headers.get("user-agent") ?? "";
      const page = sites[hostname]?.[pathname];
      if (page === undefined) return new Response("no such page", { status: 404 });
      return typeof page === "string" ? html(page) : page();
    },
  });
  const { port } = server;
  const hosts = Object.keys(sites);
  const outbound = createOutbound({
    runtime: { ...systemRuntime, resolveHost: async (name) => (hosts.includes(name) ? ["127.0.0.1"] : ["10.1.2.3"]) },
    allow_private: hosts.map((host) => `${host}:${port}`),
    user_agent: "AssayBot/1.2 (+https://assay.example.com/support)",
  });
  return {
    url: (host, path = "/") => `http://${host}:${port}${path}`,
    asked,
    agent: () => agent,
    outbound,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const context = { stepKey: "test", firm: "test", now: () => new Date(0), random: () => 0.5, earlier: {} };
const never = new AbortController().signal;

export async function analyse(served: Served, url: string, signal = never): Promise<CompanyIntelligenceOutput> {
  const engine = companyIntelligenceEngine({ outbound: served.outbound, runtime: systemRuntime, computing });
  const { result } = await engine.run({ company_url: url }, unhostedContext({ ...context, signal }));
  expect(problems(CompanyIntelligenceOutput, result, "")).toEqual([]);
  return result;
}

/** Returns the code of a failed analysis and whether it is retryable; throws if it succeeds or throws anything else. */
export async function failure(served: Served, url: string): Promise<[string, boolean]> {
  const error = await analyse(served, url).catch((thrown: unknown) => thrown);
  if (error instanceof EngineError) return [error.code, error.retryable];
  throw error instanceof Error ? error : new Error("it did not fail");
}

/** The host of a test's fictitious site. */
export const host = "www.firm.cz";
/** Returns how the analysis of a site with these pages fails, starting at its home page. */
export async function failureOf(pages: Pages): Promise<[string, boolean]> {
  await using served = await serve({ [host]: pages });
  return await failure(served, served.url(host));
}
/** Returns the profile of a site with these pages. */
export async function profileOf(pages: Pages, name = host): Promise<CompanyIntelligenceOutput> {
  await using served = await serve({ [name]: pages });
  return await analyse(served, served.url(name));
}
/** Enough text to make a page count as content. */
export const filler = "<p>We have worked for our customers in the whole country for more than thirty years. ".repeat(4);

const page = (lang: string, head: string, body: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;

const broker: Pages = {
  "/": page(
    "cs",
    `<title>Pojištění domácnosti, aut a firem | Modrý Deštník</title>
     <meta name="description" content="Nezávislý pojišťovací makléř. Nabízíme pojištění vozidel, pojištění majetku a životní pojištění.">`,
    `<header><a href="/"><img src="/logo.png" alt="Modrý Deštník – logo"></a>
     <nav><ul><li><a href="/">Úvod</a></li>
       <li><a href="/sluzby">Služby</a><ul>
         <li><a href="/sluzby/vozidla">Pojištění vozidel</a></li><li><a href="/sluzby/majetek">Pojištění majetku</a></li>
         <li><a href="/sluzby/zivot">Životní pojištění</a></li><li><a href="/sluzby/odpovednost">Pojištění odpovědnosti</a></li></ul></li>
       <li><a href="/o-nas">O nás</a></li><li><a href="/kontakt">Kontakt</a></li><li><a href="/aktuality">Aktuality</a></li></ul></nav></header>
     <h1>Pojištění pro rodiny a živnostníky</h1><p>Poradíme vám s výběrem pojištění od všech pojišťoven na trhu. Jsme s vámi od roku 1999,
     pomáháme rodinám i živnostníkům a firmám, porovnáme nabídky a vyřídíme škodní události za vás.</p>
     <h2>Proč právě my?</h2><h2>Co o nás říkají klienti</h2>
     <footer>© 2026 Modrý Deštník s.r.o. | IČO: 01234567 | DIČ: CZ01234567 | Zapsán v registru ČNB | tel. +420 123 456 789</footer>`,
  ),
  "/sluzby": page(
    "cs",
    "<title>Služby</title>",
    "<h1>Naše služby</h1><h2>Pojištění vozidel</h2><h2>Cestovní pojištění</h2>",
  ),
  "/kontakt": page("cs", "<title>Kontakt</title>", "<p>Modrý Deštník s.r.o., Dlouhá 1, 110 00 Praha</p>"),
};

const software: Pages = {
  "/": page(
    "de",
    `<title>Wolkenwerk: Software für Versicherungsmakler</title><meta property="og:site_name" content="Wolkenwerk">
     <link rel="alternate" hreflang="de-de" href="/"><link rel="alternate" hreflang="de-at" href="/at">
     <script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Wolkenwerk","legalName":"Wolkenwerk GmbH",
      "address":{"@type":"PostalAddress","addressCountry":"DE"},"makesOffer":[{"@type":"Offer","itemOffered":{"@type":"Service","name":"Maklerverwaltung"}},
      {"@type":"Offer","itemOffered":{"@type":"Service","name":"Vergleichsrechner"}}]}</script>`,
    `<nav><a href="/produkte">Produkte</a> <a href="/preise">Preise</a> <a href="/ueber-uns">Über uns</a> <a href="/impressum">Impressum</a></nav>
     <h1>Software für Versicherungsmakler</h1><a class="button">Demo anfordern</a><p>Schnittstellen zu allen Gesellschaften. Für Unternehmen jeder Größe,
     vom Einzelmakler bis zum Verbund. Referenzen aus dem Mittelstand. Fallstudien und Beratungstermin auf Anfrage, Integration in Ihre Systeme.</p>`,
  ),
  "/impressum": page(
    "de",
    "<title>Impressum</title>",
    "<p>Wolkenwerk GmbH, Musterweg 1, 20095 Hamburg, Registergericht Hamburg, HRB 12345, USt-IdNr. DE123456789</p>",
  ),
};

const shop: Pages = {
  "/": page(
    "pl",
    "<title>Zielona Łąka - sklep ogrodniczy</title><meta name='application-name' content='Zielona Łąka'>",
    `<nav><ul><li><a href="/oferta">Oferta</a><ul><li><a href="/oferta/nasiona">Nasiona</a></li><li><a href="/oferta/narzedzia">Narzędzia ogrodowe</a></li>
     <li><a href="/oferta/doniczki">Doniczki</a></li></ul></li><li><a href="/koszyk">Koszyk</a></li><li><a href="/kontakt">Kontakt</a></li></ul></nav>
     <h1>Wszystko do Twojego ogrodu</h1><p>Dodaj do koszyka, darmowa dostawa od 199 zł. Kup teraz. Promocja na nasiona 12,99 zł. Zwroty do 30 dni. Sklep internetowy
     dla rodziny i działkowców, szeroki wybór roślin, nasion i narzędzi, szybka wysyłka w całej Polsce.</p>
     <footer>Zielona Łąka Sp. z o.o., NIP: 123-456-78-90, tel. +48 12 345 67 89</footer>`,
  ),
};

const craftsman: Pages = {
  "/": page(
    "fr",
    "<title>Accueil - Menuiserie Dubois</title><meta name='description' content='Menuiserie à Lyon : fabrication de fenêtres, portes et escaliers sur mesure pour les particuliers.'>",
    `<nav><a href="/">Accueil</a><a href="/prestations">Nos prestations</a><a href="/realisations">Réalisations</a><a href="/contact">Devis</a></nav>
     <h1>Menuiserie pour les particuliers</h1><section><h2>Nos prestations</h2><ul><li>Fenêtres sur mesure</li><li>Portes d'entrée</li><li>Escaliers en bois</li></ul></section>
     <p>Depuis vingt ans, un atelier de quatre personnes au service de votre maison. Particuliers et familles : demandez votre cadeau de bienvenue, livraison gratuite
     dans toute la région.</p><footer>Menuiserie Dubois SARL, SIREN : 123 456 789, Tél. +33 4 12 34 56 78</footer>`,
  ),
};

const startup: Pages = {
  "/": page(
    "en",
    "<title>Queuely | Appointment Scheduling Software</title><meta property='og:site_name' content='Queuely'>",
    `<header><a href="/">Queuely</a><nav><a href="/features">Features</a><a href="/pricing">Pricing</a><a href="/login">Log in</a></nav></header>
     <h1>Appointment scheduling software for dental clinics</h1><p>Book a demo and talk to sales. Integrations with every calendar, an API for developers, a 99.9% SLA,
     case studies from clinics. Per seat pricing, priced for teams of any size. Queuely reminds patients so that nobody misses an appointment.</p>
     <h2>Why clinics love us</h2><h2>Get started today</h2>`,
  ),
};

const bilingual: Pages = {
  "/": page(
    "cs",
    `<title>Oblá pojišťovna, a.s.</title><link rel="alternate" hreflang="cs-cz" href="/"><link rel="alternate" hreflang="sk-sk" href="/sk">`,
    `<nav><ul><li><a href="/produkty">Produkty</a><ul><li><a href="/produkty/cesty">Cestovní pojištění</a></li><li><a href="/produkty/domov">Pojištění domova</a></li></ul></li></ul></nav>
     <h1>Pojištění v Česku a na Slovensku</h1><p>Působíme v Česku i na Slovensku. Pojištění cest a domova sjednáte online. Kontakt: +420 123 456 789 (Česko), +421 2 1234 5678 (Slovensko).
     Obě pobočky jsou otevřené každý pracovní den.</p><footer>Oblá pojišťovna, a.s.</footer>`,
  ),
};

/** Sites by host. */
export const companies: Readonly<Record<string, Pages>> = {
  "www.modry-destnik.cz": broker,
  "www.wolkenwerk.de": software,
  "www.zielonalaka.pl": shop,
  "www.menuiserie-dubois.fr": craftsman,
  "queuely.io": startup,
  "www.obla.eu": bilingual,
};
