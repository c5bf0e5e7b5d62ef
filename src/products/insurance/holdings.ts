import type { CorpusDocument, CorpusState, DocumentType, Provenance } from "../../knowledge/corpus/corpus.ts";
import { documentTypes, provenances } from "../../knowledge/corpus/corpus.ts";
import { isoCountry } from "../../platform/countries.ts";
import { fold } from "../../platform/text.ts";
import type { InsuranceCatalog, InsuranceCoverage, InsuranceProviders, ProviderQuery } from "./schema.ts";

/** The meaning of each document type, for readers of the catalogue. */
const typeMeanings: Readonly<Record<DocumentType, string>> = {
  terms: "Binding policy wording.",
  ipid: "Standardised two-page summary of a product.",
  methodology: "Distributor-facing underwriting manual.",
};

const provenanceMeanings: Readonly<Record<Provenance, string>> = {
  carrier: "Published by the carrier itself.",
  distribution: "Supplied under a distribution relationship.",
  sample: "SYNTHETIC: a fictitious carrier's, for trying out.",
  legal_note: "A note on the law with its citation; no carrier's document.",
};

type Documents = readonly CorpusDocument[];

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const distinct = <V extends string>(values: readonly (V | null)[]): V[] =>
  [...new Set(values.filter((value) => value !== null))].sort(byName);
const countBy = (documents: Documents, keyOf: (document: CorpusDocument) => string | null) => {
  const groups = Map.groupBy(documents, keyOf);
  return [...groups]
    .flatMap(([key, held]) => (key === null ? [] : [[key, held] as const]))
    .sort(([a], [b]) => byName(a, b));
};

/** Counts live documents by market, carrier and type. */
export function catalogOf(documents: Documents): InsuranceCatalog {
  const classOf = (d: CorpusDocument) =>
    JSON.stringify([d.market, d.carrier, d.product_line, d.document_type, d.provenance]);
  const classes = countBy(documents, classOf).flatMap(([, held]) => {
    const [first] = held;
    if (!first) return [];
    const { market, carrier, product_line, document_type, provenance } = first;
    return [{ market, carrier, product_line, document_type, provenance, documents: held.length }];
  });
  return {
    documents: documents.length,
    markets: countBy(documents, (d) => d.market).map(([market, held]) => ({ market, documents: held.length })),
    carriers: countBy(documents, (d) => d.carrier).map(([carrier, held]) => ({
      carrier,
      markets: distinct(held.map((d) => d.market)),
      documents: held.length,
    })),
    document_classes: classes,
    document_types: documentTypes.map((name) => ({
      name,
      meaning: typeMeanings[name],
      documents: documents.filter((d) => d.document_type === name).length,
    })),
    provenance: provenances.map((name) => ({
      name,
      meaning: provenanceMeanings[name],
      documents: documents.filter((d) => d.provenance === name).length,
    })),
  };
}

const isValidOn =
  (today: string) =>
  ({ valid_from, valid_to }: CorpusDocument): boolean =>
    (valid_from === null || valid_from <= today) && (valid_to === null || today <= valid_to);

/** Returns the holdings by market; `today` is `YYYY-MM-DD`. */
export function coverageOf(documents: Documents, state: CorpusState, today: string): InsuranceCoverage {
  return {
    markets: countBy(documents, (d) => d.market).map(([market, held]) => ({
      market,
      documents: held.length,
      carriers: distinct(held.map((d) => d.carrier)),
      product_lines: distinct(held.map((d) => d.product_line)),
      languages: distinct(held.map((d) => d.language)),
      document_types: Object.fromEntries(
        countBy(held, (d) => d.document_type).map(([name, own]) => [name, own.length]),
      ),
      provenance: Object.fromEntries(countBy(held, (d) => d.provenance).map(([name, own]) => [name, own.length])),
      valid_today: held.filter(isValidOn(today)).length,
    })),
    index: {
      status: state.status,
      documents: state.documents,
      passages: state.chunks,
      unread: state.unread,
      vectors: state.vectors,
    },
  };
}

/** Whether two names of a product line are equal apart from spelling. */
const sameLine = (a: string, b: string): boolean =>
  fold(a).replace(/[^a-z0-9]/g, "") === fold(b).replace(/[^a-z0-9]/g, "");

/** Returns carriers with documents for the country and product line; a document for all lines counts for each. */
export function providersOf(documents: Documents, { country, product_line }: ProviderQuery): InsuranceProviders {
  const market = country === undefined ? undefined : isoCountry(country);
  const asked = documents.filter(
    (d) =>
      (market === undefined || market === "" || d.market === market) &&
      (product_line === undefined || d.product_line === null || sameLine(d.product_line, product_line)),
  );
  return {
    providers: countBy(asked, (d) => d.carrier).map(([carrier, held]) => ({
      carrier,
      markets: distinct(held.map((d) => d.market)),
      product_lines: distinct(held.map((d) => d.product_line)),
      languages: distinct(held.map((d) => d.language)),
      document_types: distinct(held.map((d) => d.document_type)),
      provenance: distinct(held.map((d) => d.provenance)),
      documents: held.length,
    })),
  };
}
