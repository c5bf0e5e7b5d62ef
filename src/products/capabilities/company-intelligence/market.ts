import type { PageFacts, Site } from "./facts.ts";
import { countriesOfForm, legalForm, nameWithForm } from "./legal-forms.ts";
import { type Evidence, type Finding, keysOf, statementsOf } from "./profile.ts";
import signals from "./signals.json" with { type: "json" };
import { nested, textsOf } from "./structured.ts";
import { excerpt, inflected, key, phrases } from "./text.ts";

/** In which countries the company sells, and in which trade. Signals vote for countries, each with its weight. */

interface Vote {
  readonly country: string;
  readonly weight: number;
  readonly sign: string;
  readonly evidence: Evidence;
}
interface Country {
  readonly name: string;
  readonly names: readonly string[];
  readonly tld: readonly string[];
  readonly phone?: string;
  readonly vat?: string;
  readonly registry?: readonly string[];
  readonly currency?: readonly string[];
  readonly languages?: readonly string[];
}

const countries: readonly (readonly [string, Country])[] = Object.entries(signals.countries);
const nameOf = new Map(countries.map(([code, { name }]) => [code, name]));
const names = countries.map(([code, { name, names }]) => ({ code, pattern: phrases([name, ...names]) }));
const industries = Object.entries(signals.industries).map(([name, terms]) => ({ name, pattern: inflected(terms) }));
const generic = new Set(signals.generic_tlds);

/** Share of the votes above which one country alone is the market, and above which each of two is part of it. */
const alone = 0.6;
const shared = 0.25;
const votesMin = 0.5;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Patterns for running text, compiled once per country. */
const patterns = countries.flatMap(([country, { phone, vat, registry = [], currency = [] }]) => [
  ...(vat
    ? [
        {
          country,
          sign: "VAT number",
          weight: 0.9,
          pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${vat})(?![\\p{L}\\p{N}])`, "u"),
        },
      ]
    : []),
  ...registry.map((one) => ({
    country,
    sign: "register, postcode or phone number",
    weight: 0.9,
    pattern: new RegExp(one, "u"),
  })),
  ...(phone && phone !== "1"
    ? [
        {
          country,
          sign: "phone prefix",
          weight: 0.6,
          pattern: new RegExp(`(?:\\+|\\b00) ?\\(?${phone}\\)?[\\s\\d(/-]{6,}`, "u"),
        },
      ]
    : []),
  ...currency.map((one) => ({
    country,
    sign: "currency",
    weight: 0.4,
    pattern: new RegExp(`(?:\\d\\s?${literal(one)}|${literal(one)}\\s?\\d)`, "u"),
  })),
]);

function fromText({ text, url }: PageFacts): Vote[] {
  return patterns.flatMap(({ country, sign, weight, pattern }) => {
    const found = text.match(pattern);
    return found ? [{ country, weight, sign, evidence: evidence(country, url, sign, found[0]) }] : [];
  });
}

const evidence = (country: string, url: string, place: string, quote: string): Evidence => ({
  field: "market",
  value: nameOf.get(country) ?? country,
  url,
  place,
  excerpt: excerpt(quote),
});

const countryNamed = (text: string): string | undefined => {
  const code = text.trim().toUpperCase();
  return nameOf.has(code) ? code : names.find(({ pattern }) => key(text).search(pattern) >= 0)?.code;
};

function fromThings({ things, url }: PageFacts): Vote[] {
  return things
    .flatMap((thing) => [...nested(thing)])
    .flatMap((thing) =>
      (["addressCountry", "areaServed", "eligibleRegion"] as const).flatMap((property) =>
        textsOf(thing, property).flatMap((text): Vote[] => {
          const country = countryNamed(text);
          const place = `${thing.from} ${property}`;
          return country ? [{ country, weight: 1, sign: property, evidence: evidence(country, url, place, text) }] : [];
        }),
      ),
    );
}

function fromNames(page: PageFacts): Vote[] {
  const said = key(`${page.title} | ${page.meta.description ?? ""}`);
  const all = keysOf(page).text;
  return names.flatMap(({ code, pattern }): Vote[] => {
    const strong = said.match(pattern);
    const weak = all.match(pattern);
    const quote = strong?.[0] ?? weak?.[0];
    if (quote === undefined) return [];
    const weight = strong ? 0.6 : Math.min(0.3, 0.1 * (weak?.length ?? 0));
    return [
      {
        country: code,
        weight,
        sign: "name of the country",
        evidence: evidence(code, page.url, "name of the country", quote),
      },
    ];
  });
}

function fromStatements({ alternates, language, small, url }: PageFacts): Vote[] {
  const ofLanguage = (code: string): string[] => {
    const [spoken = "", region] = code.split("-");
    if (region) return nameOf.has(region.toUpperCase()) ? [region.toUpperCase()] : [];
    return countries.filter(([, { languages = [] }]) => languages[0] === spoken).map(([country]) => country);
  };
  const split = (code: string, weight: number, sign: string): Vote[] =>
    ofLanguage(code).map((country, _, all) => ({
      country,
      weight: weight / all.length,
      sign,
      evidence: evidence(country, url, sign, code),
    }));
  const forms = small.flatMap((line) => legalForm(nameWithForm(line) ?? "") ?? []).slice(0, 1);
  return [
    ...alternates.flatMap((code) => split(code, 0.3, "hreflang")),
    ...(language ? split(language, 0.3, "language of the page") : []),
    ...forms.flatMap((form) =>
      countriesOfForm(form).map((country, _, all) => ({
        country,
        weight: 0.4 / all.length,
        sign: "legal form",
        evidence: evidence(country, url, "legal form", form),
      })),
    ),
  ];
}

function fromDomain({ tld, pages }: Site): Vote[] {
  if (tld === null || generic.has(tld)) return [];
  return countries
    .filter(([, country]) => country.tld.includes(tld))
    .map(([country]) => ({
      country,
      weight: 0.6,
      sign: "top-level domain",
      evidence: evidence(country, pages[0].url, "top-level domain", `.${tld}`),
    }));
}

/** Returns the strongest vote of each sign for each country: ten phone numbers say no more than one. */
function strongest(votes: readonly Vote[]): Vote[] {
  return [...Map.groupBy(votes, ({ country, sign }) => `${country} ${sign}`).values()].flatMap(
    (same) => same.toSorted((a, b) => b.weight - a.weight)[0] ?? [],
  );
}

function industryOf(pages: Site["pages"]): { readonly name: string; readonly quote: string } | null {
  const [first] = pages;
  const said = key(statementsOf(first));
  const running = keysOf(first).text;
  const counted = industries
    .map(({ name, pattern }) => {
      const strong = said.match(pattern) ?? [];
      return {
        name,
        quote: strong[0] ?? "",
        count: 3 * Math.min(6, strong.length) + Math.min(6, running.match(pattern)?.length ?? 0),
      };
    })
    .toSorted((a, b) => b.count - a.count);
  const [best] = counted;
  return best?.quote && best.count >= 4 ? best : null;
}

/** Returns for example `insurance, Czechia` or `software, several countries (hreflang: …)`; null if nothing decides. */
export function findMarket(site: Site): Finding<string | null> {
  const { pages } = site;
  const votes = strongest([
    ...fromDomain(site),
    ...pages.flatMap((page) => [...fromThings(page), ...fromText(page), ...fromNames(page), ...fromStatements(page)]),
  ]);
  const sums = [...Map.groupBy(votes, ({ country }) => country)]
    .map(([country, all]) => ({
      country,
      sum: all.reduce((total, { weight }) => total + weight, 0),
      signs: all.length,
    }))
    .toSorted((a, b) => b.sum - a.sum);
  const total = sums.reduce((all, { sum }) => all + sum, 0);
  const share = (one: { readonly sum: number }) => one.sum / total;
  const regions = new Set(pages[0].alternates.map((code) => code.split("-").at(-1)));
  const chosen =
    total < votesMin
      ? []
      : sums.filter((one) => share(one) > shared).slice(0, share(sums[0] ?? { sum: 0 }) > alone ? 1 : 2);
  const where =
    regions.size >= 3 && (sums[0] ? share(sums[0]) <= alone : true)
      ? "several countries"
      : chosen.map(({ country }) => nameOf.get(country)).join(" and ");
  const industry = industryOf(pages);
  const value = [industry?.name, where].filter(Boolean).join(", ");
  const structured = votes.some(({ weight, country }) => weight === 1 && chosen.some((one) => one.country === country));
  return {
    value: value || null,
    confidence: !where ? (industry ? 0.4 : 0) : structured ? 1 : (chosen[0]?.signs ?? 0) > 1 ? 0.7 : 0.4,
    evidence: [
      ...votes
        .filter(({ country }) => chosen.some((one) => one.country === country))
        .slice(0, 6)
        .map(({ evidence: one }) => one),
      ...(industry
        ? [
            {
              field: "market" as const,
              value: industry.name,
              url: pages[0].url,
              place: "title, headings and menu",
              excerpt: excerpt(industry.quote),
            },
          ]
        : []),
    ],
  };
}
