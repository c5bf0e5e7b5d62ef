import type { Datasets } from "../../../db/datasets.ts";
import { type Engine, EngineError } from "../../contracts/engine.ts";
import type { GermanyEnrichment } from "../../jobs/schema.ts";
import { rfc3339 } from "../../platform/clock.ts";
import type { EngineServices } from "../../registry/services.ts";
import { findAudience } from "../capabilities/company-intelligence/audience.ts";
import type { Site } from "../capabilities/company-intelligence/facts.ts";
import { legalForm } from "../capabilities/company-intelligence/legal-forms.ts";
import { findMarket } from "../capabilities/company-intelligence/market.ts";
import { findName } from "../capabilities/company-intelligence/name.ts";
import { findProducts } from "../capabilities/company-intelligence/products.ts";
import type { Finding } from "../capabilities/company-intelligence/profile.ts";
import { readSite } from "../capabilities/company-intelligence/site.ts";
import { excerpt } from "../capabilities/company-intelligence/text.ts";
import { type Enrichable, isEnrichable } from "./enrichment-fields.ts";
import { germanyDataset, tableOf } from "./holdings.ts";
import type { GermanyEnrichmentRequest } from "./schema.ts";

/** Reads a profile's own site, and proposes values with their evidence. The profile itself is never changed. */

type Found = GermanyEnrichment["fields"][number];
type Value = Pick<Found, "value" | "evidence" | "reliability">;

const nothing: Value = { value: null, evidence: [], reliability: null };

const claimed = ({ value, evidence }: Finding<string | string[] | null>): Value =>
  value === null || value.length === 0
    ? nothing
    : { value, evidence: evidence.map(({ url, place, excerpt }) => ({ url, place, excerpt })), reliability: "C" };

function registerNumber({ pages }: Site): Value {
  for (const { text, url } of pages) {
    const [said] =
      /\bHR\s?[AB]\s?(?:Nr\.?|:)?\s?\d{2,7}(?:\s?[A-Z]{1,2})?\b|\bD-[A-Z0-9]{4}-[A-Z0-9]{5}-\d{2}\b/.exec(text) ?? [];
    if (said) return { value: said, evidence: [{ url, place: "text", excerpt: excerpt(said) }], reliability: "B" };
  }
  return nothing;
}

function languages({ pages }: Site): Value {
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

function nameOf(site: Site): Value {
  const { name, confidence, evidence } = findName(site);
  return claimed({ value: name, confidence, evidence });
}

function formOf(site: Site): Value {
  const named = nameOf(site);
  const name = typeof named.value === "string" ? named.value : "";
  const form = legalForm(name);
  const evidence = named.evidence.map((one) => ({ ...one, excerpt: form ?? "" }));
  return form ? { value: form, evidence, reliability: "C" } : nothing;
}

const finders: Readonly<Record<Enrichable, (site: Site) => Value>> = {
  website: ({ pages: [{ url, title }] }) => ({
    ...{ value: url, evidence: [{ url, place: "address", excerpt: excerpt(title) }], reliability: "C" },
  }),
  legal_name: nameOf,
  legal_form: formOf,
  register_number: registerNumber,
  products_services: (site) => claimed(findProducts(site, findName(site).name)),
  target_audience: (site) => claimed(findAudience(site)),
  market: (site) => claimed(findMarket(site)),
  languages,
};

/** The address to read of a profile. Throws `EngineError` where the profile has gone, or says none. */
async function siteOf(datasets: Datasets, key: string): Promise<{ website: string; version: number }> {
  const version = await datasets.current(germanyDataset);
  const profile = tableOf(version, "profiles")?.entity(key);
  if (!profile) throw new EngineError("target_gone", "The profile is not in the data that serve now.", false);
  const { website } = profile.fields;
  if (typeof website !== "string") throw new EngineError("no_website", "The profile names no site to read.", false);
  return { website, version: version.number };
}

/** The engine of the jobs. Its runs throw what `readSite` throws, and `target_gone` and `no_website`. */
export function germanyEnrichmentEngine({
  datasets,
  outbound,
  runtime,
}: Pick<EngineServices, "datasets" | "outbound" | "runtime">): Engine<GermanyEnrichmentRequest, GermanyEnrichment> {
  return {
    identity: { name: "germany-enrichment", version: "1.0.0", model: null },
    ready: () => null,
    async run({ target_key, fields }, { signal, progress, now }) {
      const { website, version } = await siteOf(datasets, target_key);
      const { site, notes } = await readSite(website, { outbound, clock: runtime, signal, progress });
      const retrieved_at = rfc3339(now().getTime());
      const found: Found[] = [];
      for (const field of fields.filter(isEnrichable)) {
        found.push({ field, ...finders[field](site) });
        await runtime.nextTurn();
      }
      const result = {
        ...{ target_key, version, retrieved_at, fields: found },
        pages: site.pages.map(({ url }) => url),
        notes: [...notes, "Proposals from the firm's own site: nothing was approved, and no record was changed."],
      };
      return { result };
    },
  };
}
