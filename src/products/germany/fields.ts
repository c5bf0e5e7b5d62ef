import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { Reliability } from "../capabilities/fields.ts";

const text = (description?: string) => nullable(T.String(description === undefined ? {} : { description }));

/** The fields of a firm, in both the universe and the profiles. A directory's row has few of them. */
const firm = {
  name: text(),
  legal_form: text(),
  register_number: text("Number in the commercial register or the register of intermediaries."),
  sector: text("Such as broker, tied_agent or adviser, as imported."),
  tier: text("How promising it is, as imported."),
  city: text(),
  postal_code: text(),
  land: text("ISO 3166-2, such as DE-BY."),
  persons: nullable(T.Integer({ minimum: 0, description: "Number of people who work there." })),
  founded: nullable(T.Integer({ minimum: 1000, maximum: 2999 })),
  website: text(),
  network: text("The association or pool that it belongs to."),
  technology_profile: text(),
  commercial_scenario: text(),
  source: text("The register or directory that the row is from."),
  source_period: text(),
  reliability: Reliability,
};

/** A row of the universe, without its id. */
export const candidateFields = firm;

/** A researched profile, without its key. */
export const profileFields = {
  ...firm,
  candidate_id: text("Its row in the universe."),
  lines: text("Lines of insurance that it works in."),
  audience: text("Whom it serves."),
  languages: text(),
  researched: text("When it was researched: YYYY-MM-DD."),
};

/**
 * Fields shown only to the enterprise tier: named institutions, networks, technology profiles, commercial scenarios.
 */
export const enterpriseOnly: ReadonlySet<string> = new Set([
  "name",
  "register_number",
  "website",
  "network",
  "technology_profile",
  "commercial_scenario",
]);

const CandidateRow = closed(candidateFields);
const ProfileRow = closed(profileFields);
export type CandidateRow = Static<typeof CandidateRow>;
export type ProfileRow = Static<typeof ProfileRow>;

export type FieldName = keyof ProfileRow;
/** The fields of a table's rows, in display order. */
export const candidateFieldNames = Object.keys(candidateFields) as (keyof CandidateRow)[];
export const profileFieldNames = Object.keys(profileFields) as FieldName[];
