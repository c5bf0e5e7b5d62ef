import { type Static, Type as T } from "@sinclair/typebox";
import { documentTypes, provenances } from "../../knowledge/corpus/corpus.ts";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { EngineRecord } from "../../runs/schema.ts";
import { InsuranceAssistantInput, InsuranceAssistantOutput } from "../capabilities/insurance-assistant/schema.ts";

const DocumentType = enumeration(...documentTypes);
const Provenance = enumeration(...provenances);
const Count = T.Integer({ minimum: 0, description: "Documents that are loaded and can be found." });
const Market = T.String({ description: "ISO 3166-1 alpha-2, or EU for what holds in every member state." });

/** The contents of the corpus, without any text of its documents. */
export const InsuranceCatalog = closed(
  {
    documents: Count,
    markets: T.Array(closed({ market: Market, documents: Count })),
    carriers: T.Array(closed({ carrier: T.String(), markets: T.Array(Market), documents: Count })),
    document_classes: T.Array(
      closed({
        market: Market,
        carrier: nullable(T.String({ description: "null: no carrier's, as a note on the law." })),
        product_line: nullable(T.String({ description: "null: all lines." })),
        document_type: nullable(DocumentType),
        provenance: Provenance,
        documents: Count,
      }),
    ),
    document_types: T.Array(closed({ name: DocumentType, meaning: T.String(), documents: Count })),
    provenance: T.Array(closed({ name: Provenance, meaning: T.String(), documents: Count })),
  },
  { title: "InsuranceCatalog" },
);
export type InsuranceCatalog = Static<typeof InsuranceCatalog>;

/** The corpus's holdings by market. */
export const InsuranceCoverage = closed(
  {
    markets: T.Array(
      closed({
        market: Market,
        documents: Count,
        carriers: T.Array(T.String()),
        product_lines: T.Array(T.String()),
        languages: T.Array(T.String({ description: "ISO 639-1." })),
        document_types: T.Record(T.String(), Count),
        provenance: T.Record(T.String(), Count),
        valid_today: T.Integer({ minimum: 0, description: "Documents whose validity includes today (UTC)." }),
      }),
    ),
    index: closed({
      status: enumeration("missing", "building", "ready", "empty"),
      documents: Count,
      passages: T.Integer({ minimum: 0 }),
      unread: T.Integer({
        minimum: 0,
        description:
          "Passages that are still to be read after an import: answers may miss what they say in other words.",
      }),
      vectors: nullable(T.String({ description: "How meanings are compared; null while there is no index." })),
    }),
  },
  { title: "InsuranceCoverage" },
);
export type InsuranceCoverage = Static<typeof InsuranceCoverage>;

/** Carriers with documents in the corpus. */
export const InsuranceProviders = closed(
  {
    providers: T.Array(
      closed({
        carrier: T.String(),
        markets: T.Array(Market),
        product_lines: T.Array(T.String()),
        languages: T.Array(T.String()),
        document_types: T.Array(DocumentType),
        provenance: T.Array(Provenance),
        documents: Count,
      }),
    ),
  },
  { title: "InsuranceProviders" },
);
export type InsuranceProviders = Static<typeof InsuranceProviders>;

export const ProviderQuery = T.Object({
  country: T.Optional(T.String({ maxLength: 80 })),
  product_line: T.Optional(T.String({ maxLength: 80 })),
});
export type ProviderQuery = Static<typeof ProviderQuery>;

export const AskRequest = closed(InsuranceAssistantInput.properties, { title: "AskRequest" });
export type AskRequest = Static<typeof AskRequest>;

/** The capability's result, with the engine that answered. */
export const AskResponse = closed(
  {
    ...InsuranceAssistantOutput.properties,
    confidence: nullable(T.Number({ minimum: 0, maximum: 1 })),
    engine: EngineRecord,
  },
  { title: "AskResponse" },
);
export type AskResponse = Static<typeof AskResponse>;
