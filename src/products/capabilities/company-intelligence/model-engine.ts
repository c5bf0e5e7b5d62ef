import { type Static, Type as T } from "@sinclair/typebox";
import type { Engine } from "../../../contracts/engine.ts";
import { askModel } from "../../../integrations/models/ask.ts";
import type { LanguageModel } from "../../../integrations/models/language.ts";
import { closed, enumeration, nullable } from "../../../platform/schema.ts";
import type { EngineServices } from "../../../registry/services.ts";
import type { PageFacts, Site } from "./facts.ts";
import type { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";
import { readSite } from "./site.ts";
import { excerpt, wordsOf } from "./text.ts";

/** The model's output: the profile, and for each value the words that support it. */
const Profile = closed({
  company_name: nullable(T.String({ minLength: 1, maxLength: 120 })),
  target_audience: nullable(T.String({ minLength: 1, maxLength: 200 })),
  products_services: T.Array(T.String({ minLength: 2, maxLength: 80 }), { maxItems: 12 }),
  market: nullable(T.String({ minLength: 1, maxLength: 120 })),
  quotes: T.Array(
    closed({
      field: enumeration("company_name", "target_audience", "products_services", "market"),
      value: T.String({ maxLength: 200 }),
      page: T.Integer({ minimum: 0 }),
      quote: T.String({ minLength: 2, maxLength: 300 }),
    }),
    { maxItems: 60 },
  ),
});
type Profile = Static<typeof Profile>;

const instructions =
  "You describe a company from numbered pages of its website. Give its name; its target audience in a few words; the names of its products and services as the pages write them, at most ten; and its market as trade and country, such as 'insurance, Czechia'. What the pages do not say is null, or an empty list: never guess, and use nothing that you know from elsewhere. For every value give one entry in quotes: the field, the value itself, the number of the page, and the words of that page it rests on, copied letter by letter.";

const textMax = 4_000;
const linesMax = 80;

/** Returns a page as the model sees it: the facts that the rules judge, cut to a maximum length. */
const materialOf = ({ url, title, meta, headings, links, items, things, small, text }: PageFacts, page: number) => ({
  page,
  url,
  title,
  description: meta.description ?? "",
  site_name: meta["og:site_name"] ?? "",
  structured_data: JSON.stringify(things).slice(0, textMax),
  headings: headings.slice(0, linesMax).map((heading) => heading.text),
  menu: [...new Set(links.map((link) => link.text).filter(Boolean))].slice(0, linesMax),
  lists: items.slice(0, linesMax).map((item) => item.text),
  footer: small.slice(-20),
  text: text.slice(0, textMax),
});

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

/** Returns what is wrong with a profile, or null: a missing or invented quotation, or a name that is on no page. */
function flawIn(profile: Profile, material: readonly ReturnType<typeof materialOf>[]): string | null {
  const held = material.map((page) => spaced(Object.values(page).flat().join("\n")));
  const words = new Set(material.flatMap((page) => wordsOf(Object.values(page).flat().join("\n"))));
  for (const { page, quote, value } of profile.quotes)
    if (!held[page]?.includes(spaced(quote))) return `The words quoted for ${value} are not on page ${page}.`;
  const { company_name, target_audience, products_services, market, quotes } = profile;
  const said = {
    company_name: [company_name],
    target_audience: [target_audience],
    products_services,
    market: [market],
  };
  for (const [field, values] of Object.entries(said))
    for (const value of values)
      if (value !== null && !quotes.some((one) => one.field === field && one.value === value))
        return `There is no quote for the ${field} ${value}.`;
  for (const value of [company_name, ...products_services])
    if (value !== null && !wordsOf(value).every((word) => words.has(word))) return `${value} is not on the pages.`;
  return null;
}

function resultOf(profile: Profile, { pages }: Site, notes: readonly string[]): CompanyIntelligenceOutput {
  const { quotes, ...fields } = profile;
  const sure = (found: boolean): number => (found ? 0.7 : 0);
  return {
    ...fields,
    confidence: {
      company_name: sure(fields.company_name !== null),
      target_audience: sure(fields.target_audience !== null),
      products_services: sure(fields.products_services.length > 0),
      market: sure(fields.market !== null),
    },
    evidence: quotes.map(({ field, value, page, quote }) => ({
      field,
      value,
      url: pages[page]?.url ?? pages[0].url,
      place: "words that the model quoted",
      excerpt: excerpt(quote),
    })),
    pages: pages.map(({ url }) => url),
    notes: [...notes],
  };
}

/**
 * The same contract with a language model, which judges the facts extracted from the pages; reading them is unchanged.
 * The manifest chooses it when the operator lists `company-intelligence` in `model_capabilities`. Its runs throw what
 * `readSite` and `askModel` throw.
 */
export function companyIntelligenceModelEngine(
  { outbound, runtime, computing }: Pick<EngineServices, "outbound" | "runtime" | "computing">,
  model: LanguageModel,
): Engine<CompanyIntelligenceInput, CompanyIntelligenceOutput> {
  return {
    identity: { name: "company-intelligence", version: "1.0.0", model: model.name },
    ready: () => model.ready(),
    async run({ company_url }, { firm, signal, progress }) {
      const reader = { outbound, clock: runtime, computing, firm, signal, progress };
      const { site, notes } = await readSite(company_url, reader);
      progress?.("asking the model", site.pages.length, site.pages.length);
      const material = site.pages.map(materialOf);
      const profile = await askModel({
        model,
        instructions,
        data: { pages: material },
        schema: Profile,
        verify: (given) => flawIn(given, material),
        signal,
      });
      return { result: resultOf(profile, site, notes) };
    },
  };
}
