import type { Datasets } from "../../../db/datasets.ts";
import { type Engine, EngineError } from "../../contracts/engine.ts";
import type { GermanyEnrichment } from "../../jobs/schema.ts";
import { rfc3339 } from "../../platform/clock.ts";
import type { EngineServices } from "../../registry/services.ts";
import { siteProfile } from "../capabilities/company-intelligence/computation.ts";
import type { Site } from "../capabilities/company-intelligence/facts.ts";
import { legalForm } from "../capabilities/company-intelligence/legal-forms.ts";
import type { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import { readSite } from "../capabilities/company-intelligence/site.ts";
import { excerpt } from "../capabilities/company-intelligence/text.ts";
import { type Enrichable, isEnrichable } from "./enrichment-fields.ts";
import { germanyDataset, tableOf } from "./holdings.ts";
import type { GermanyEnrichmentRequest } from "./schema.ts";

/** Reads a profile's own site and proposes values with evidence. The profile itself never changes. */

type Found = GermanyEnrichment["fields"][number];
type Value = Pick<Found, "value" | "evidence" | "reliability">;

const nothing: Value = { value: null, evidence: [], reliability: null };

/** A site and its company analysis. */
interface Read {
  readonly site: Site;
  readonly profile: CompanyIntelligenceOutput;
}
type Judged = "company_name" | "products_services" | "target_audience" | "market";

function claimed({ profile }: Read, judged: Judged): Value {
  const value = profile[judged];
  if (value === null || value.length === 0) return nothing;
  const evidence = (profile.evidence ?? []).filter(({ field }) => field === judged);
  return { value, reliability: "C", evidence: evidence.map(({ url, place, excerpt }) => ({ url, place, excerpt })) };
}

function registerNumber({ site: { pages } }: Read): Value {
  for (const { text, url } of pages) {
    const [said] =
      /\bHR\s?[AB]\s?(?:Nr\.?|:)?\s?\d{2,7}(?:\s?[A-Z]{1,2})?\b|\bD-[A-Z0-9]{4}-[A-Z0-9]{5}-\d{2}\b/.exec(text) ?? [];
    if (said) return { value: said, evidence: [{ url, place: "text", excerpt: excerpt(said) }], reliability: "B" };
  }
  return nothing;
}

function languages({ site: { pages } }: Read): Value {
  const stated = pages.flatMap(({ language, alternates, url }) =>
    [language, ...alternates].flatMap((one) => (one && one !== "x-default" ? [{ code: one.slice(0, 2), url }] : [])),
  );
  const codes = [...new Set(stated.map(({ code }) => code))].sort();
  const evidence = codes.flatMap((code) => {
    const from = stated.find((one) => one.code === code);
    return from ? [{ url: from.url, place: "lang and hreflang", excerpt: code }] : [];
  });
  return codes.length === 0 ? nothing : { value: codes, evidence, reliability: "C" };
}

/** Returns the legal form in the name as the site writes it. */
function formOf(read: Read): Value {
  const { value, evidence } = claimed(read, "company_name");
  const form = typeof value === "string" ? legalForm(value) : undefined;
  return form ? { value: form, evidence, reliability: "C" } : nothing;
}

const finders: Readonly<Record<Enrichable, (read: Read) => Value>> = {
  website: ({ site: { pages } }) => {
    const [{ url, title }] = pages;
    return { value: url, evidence: [{ url, place: "address", excerpt: excerpt(title) }], reliability: "C" };
  },
  legal_name: (read) => claimed(read, "company_name"),
  legal_form: formOf,
  register_number: registerNumber,
  products_services: (read) => claimed(read, "products_services"),
  target_audience: (read) => claimed(read, "target_audience"),
  market: (read) => claimed(read, "market"),
  languages,
};

/** Returns the website of a profile. Throws `EngineError` if the profile no longer exists or has none. */
async function siteOf(datasets: Datasets, key: string): Promise<{ website: string; version: number }> {
  const version = await datasets.current(germanyDataset);
  const profile = tableOf(version, "profiles")?.entity(key);
  if (!profile) throw new EngineError("target_gone", "The profile is not in the current data.", false);
  const { website } = profile.fields;
  if (typeof website !== "string") throw new EngineError("no_website", "The profile names no website.", false);
  return { website, version: version.number };
}

/** Creates the engine of enrichment jobs. Its runs throw the errors of `readSite`, `target_gone` and `no_website`. */
export function germanyEnrichmentEngine({
  datasets,
  outbound,
  runtime,
  computing,
}: Pick<EngineServices, "datasets" | "outbound" | "runtime" | "computing">): Engine<
  GermanyEnrichmentRequest,
  GermanyEnrichment
> {
  return {
    identity: { name: "germany-enrichment", version: "1.0.0", model: null },
    ready: () => null,
    async run({ target_key, fields }, { firm, signal, progress, now }) {
      const { website, version } = await siteOf(datasets, target_key);
      const read = await readSite(website, { outbound, clock: runtime, computing, firm, signal, progress });
      const profile = await computing.run(siteProfile, read, { firm, signal });
      const { site, notes } = read;
      const result = {
        ...{ target_key, version, retrieved_at: rfc3339(now().getTime()) },
        fields: fields.filter(isEnrichable).map((field) => ({ field, ...finders[field]({ site, profile }) })),
        pages: site.pages.map(({ url }) => url),
        notes: [...notes, "Proposals from the firm's own site: nothing was approved, and no record was changed."],
      };
      return { result };
    },
  };
}
