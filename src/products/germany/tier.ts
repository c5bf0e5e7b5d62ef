import type { Entity } from "../../../db/datasets.ts";
import type { Identity, Principal } from "../../identity/principal.ts";
import { invalid } from "../../platform/errors.ts";
import { candidateFieldNames, enterpriseOnly, type FieldName, profileFieldNames } from "./fields.ts";
import type { CandidateItem, GermanyEntity } from "./schema.ts";

/** Restricts rows to the caller's tier. Every row that is returned must pass through here. */

/** The entitlements that a firm needs for any access, and for access to everything. */
export const entitlement = "market-intelligence:read";
export const enterprise = "enterprise";

/** Whether the caller's firm has the enterprise tier. */
export const isEnterprise = async (identity: Pick<Identity, "entitlements">, { firm_id }: Principal) =>
  (await identity.entitlements(firm_id)).includes(enterprise);

const withheldOf = (names: readonly string[], all: boolean): string[] =>
  all ? [] : names.filter((name) => enterpriseOnly.has(name));

/** Returns members of a row; withheld ones are null, like unknown ones. */
function members(entity: Entity, names: readonly string[], withheld: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, withheld.includes(name) ? null : (entity.fields[name] ?? null)]),
  );
}

/**
 * Returns the fields of a projection; all if empty. Throws `validation_error` at `/query/fields` for an unknown field.
 */
export function projectionOf(fields: string): readonly FieldName[] {
  const asked = fields
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "target_key");
  if (asked.length === 0) return profileFieldNames;
  const unknown = asked.some((name) => !profileFieldNames.some((known) => known === name));
  if (unknown)
    throw invalid("/query/fields", `must be comma-separated names of fields: ${profileFieldNames.join(", ")}`);
  return profileFieldNames.filter((name) => asked.includes(name));
}

/** Returns a profile as the caller may see it. */
export function entityView(entity: Entity, names: readonly FieldName[], all: boolean): GermanyEntity {
  const withheld = withheldOf(names, all);
  return { target_key: entity.key, ...members(entity, names, withheld), withheld };
}

/** Returns a row of the universe as the caller may see it. The import's form guarantees its members' types. */
export function candidateView(entity: Entity, all: boolean): CandidateItem {
  const withheld = withheldOf(candidateFieldNames, all);
  const shown = members(entity, candidateFieldNames, withheld) as Omit<CandidateItem, "candidate_id" | "withheld">;
  return { candidate_id: entity.key, ...shown, withheld };
}
