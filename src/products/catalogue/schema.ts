import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { Access, Capability, CapabilityStatus, PricingModel } from "../../registry/contract.ts";
import { cursorMember, page } from "../../web/cursor.ts";

/** The query member that filters a list by country. */
export const CountryMember = T.Optional(
  T.String({
    minLength: 2,
    maxLength: 20,
    description:
      "ISO code or name (CZ, Czechia), EU or GLOBAL; also finds what serves the country through EU or GLOBAL.",
  }),
);

export const CapabilityFilter = T.Object({
  q: T.Optional(T.String({ maxLength: 200, description: "Words of the slug, name, outcome or description." })),
  outcome: T.Optional(T.String({ maxLength: 120, description: "Words of the outcome." })),
  country: CountryMember,
  provider: T.Optional(T.String({ maxLength: 80, description: "One of the providers in filters." })),
  status: T.Optional({ ...CapabilityStatus, description: "Its maturity." }),
  access: T.Optional({ ...Access, description: "Whether it only reads or also changes something." }),
  pricing_model: T.Optional({ ...PricingModel, description: "What is charged for." }),
});
export type CapabilityFilter = Static<typeof CapabilityFilter>;

export const CapabilityList = closed(
  {
    items: T.Array(Capability),
    filters: closed({
      outcomes: T.Array(T.String()),
      countries: T.Array(T.String()),
      providers: T.Array(T.String()),
      statuses: T.Array(CapabilityStatus),
      access: T.Array(Access),
      pricing_models: T.Array(PricingModel),
    }),
  },
  { title: "CapabilityList" },
);
export type CapabilityList = Static<typeof CapabilityList>;

/** Over the last 30 days and all tenants; null if fewer than five tenants used it. */
export const CapabilityStatistics = closed({
  runs_30d: T.Integer({ minimum: 0 }),
  success_rate: nullable(T.Number({ minimum: 0, maximum: 1 })),
  median_seconds: nullable(T.Number({ minimum: 0 })),
  tenants: T.Integer({ minimum: 0 }),
});
export type CapabilityStatistics = Static<typeof CapabilityStatistics>;

export const CapabilityDetail = closed(
  {
    ...Capability.properties,
    required_scopes: closed(
      {
        mcp: T.Array(T.String(), { description: "For its tools, and for its direct route if it has one." }),
        rest: T.Array(T.String(), {
          description: "For a run, including runs from the command line and the console.",
        }),
      },
      { description: "The scopes that a credential needs, by surface. A run of a use case needs `use-cases:run`." },
    ),
    required_entitlements: T.Array(T.String(), {
      description: "The entitlements that the firm also needs, on every surface.",
    }),
    statistics: nullable(CapabilityStatistics),
  },
  { title: "CapabilityDetail" },
);
export type CapabilityDetail = Static<typeof CapabilityDetail>;

export const MyCapabilities = page(Capability, "MyCapabilities");
export const MyCapabilitiesQuery = T.Object({ ...cursorMember });
