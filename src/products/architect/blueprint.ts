import { countryCode } from "../../registry/countries.ts";
import type { Reading } from "./intake.ts";
import type { Choice, Intake, Match, Need, Product } from "./schema.ts";
import { kindOf, say, taxonomy } from "./taxonomy.ts";

/** Everything known about a solution when it is read, as pure values, so that equal inputs give equal answers. */
export interface Known {
  readonly solution_id: string;
  readonly intake: Intake;
  readonly reading: Reading;
  readonly products: readonly Product[];
  /** The firm's entitlements. */
  readonly held: readonly string[];
  readonly choices: readonly Choice[];
}

/** A need and a product that may serve it. */
export interface Candidate {
  readonly need: Need;
  readonly product: Product;
  readonly fit: "full" | "part";
  /** Whether the product covers the country itself rather than only a union of countries. */
  readonly isLocal: boolean;
}

/** Returns the two-letter country of a need; `null` if the intake names none. */
function countryOf({ intake }: Known, need: Need): string | null {
  const country = taxonomy.needs[need.id]?.country ?? countryCode(intake.country);
  return country === undefined || country === "GLOBAL" ? null : country;
}

function covers(product: Product, country: string | null): boolean {
  if (country === null || product.countries.includes("GLOBAL") || product.countries.includes(country)) return true;
  return product.countries.includes("EU") && taxonomy.european_union.includes(country);
}

/** Returns an intake's recognised channels with the surfaces that serve them. */
export const channelsOf = ({ channels }: Intake) =>
  channels.flatMap((text) => {
    const kind = kindOf(text, taxonomy.channels);
    const found = kind === null ? undefined : taxonomy.channels[kind];
    return found && kind !== null ? [{ text, kind, ...found }] : [];
  });

type Reason = Match["reasons"][number];

/** Returns why a product that serves a need is refused nevertheless. */
function refusals(known: Known, need: Need, product: Product): Reason[] {
  const { language, ruled } = known.reading;
  const reasons: Reason[] = [];
  const refuse = (code: string, values: Readonly<Record<string, string | number>> = {}) =>
    reasons.push({ code, text: say(language, `reason_${code}`, values) });
  const country = countryOf(known, need);
  if (!covers(product, country)) refuse("country", { countries: product.countries.join(", "), country: country ?? "" });
  const lacking = product.entitlements.find((name) => !known.held.includes(name));
  if (lacking !== undefined) refuse("entitlement", { entitlement: lacking });
  const needsApproval = product.approvals.length > 0;
  if (needsApproval && ruled.has("no_approval")) refuse("no_approval");
  // Output that names people is the output that waits for an approval.
  if (needsApproval && ruled.has("no_named_people")) refuse("no_named_people");
  if (product.maximum_credits > 0 && ruled.has("free_only")) refuse("free_only", { credits: product.maximum_credits });
  const channels = channelsOf(known.intake);
  if (channels.length > 0 && channels.every(({ surface }) => !product.surfaces.includes(surface)))
    refuse("channel", { channel: channels.map(({ text }) => text).join(", ") });
  return reasons;
}

function matchOf(known: Known, need: Need, product: Product): Match {
  const { language } = known.reading;
  const of = { need: need.id, product: product.slug };
  const fit = taxonomy.needs[need.id]?.products[product.slug];
  const outcome = { outcome: product.outcome };
  if (fit === undefined) {
    // For an unrecognised goal, it is unknown how the product relates to it.
    const code = need.known ? "other_outcome" : "not_recognised";
    return { ...of, verdict: "refused", reasons: [{ code, text: say(language, `reason_${code}`, outcome) }] };
  }
  const refused = refusals(known, need, product);
  if (refused.length > 0) return { ...of, verdict: "refused", reasons: refused };
  const reasons: Reason[] = [{ code: fit, text: say(language, `reason_${fit}`, outcome) }];
  if (product.blocker)
    reasons.push({
      code: product.blocker.code,
      text: say(language, "reason_not_runnable", { message: product.blocker.message }),
    });
  return { ...of, verdict: fit === "full" && product.runnable ? "match" : "partial", reasons };
}

/** Returns every need paired with every product: whether it serves the need, and why or why not. */
export const matrixOf = (known: Known): Match[] =>
  known.reading.needs.flatMap((need) => known.products.map((product) => matchOf(known, need, product)));

/** Returns the products that may serve each need, in catalogue order. */
export function candidatesOf(known: Known, matrix: readonly Match[]): Candidate[] {
  const products = new Map(known.products.map((product) => [product.slug, product]));
  const needs = new Map(known.reading.needs.map((need) => [need.id, need]));
  return matrix.flatMap((match) => {
    const [need, product] = [needs.get(match.need), products.get(match.product)];
    if (match.verdict === "refused" || !need || !product) return [];
    const fit = taxonomy.needs[need.id]?.products[product.slug] ?? "part";
    return [{ need, product, fit, isLocal: product.countries.includes(countryOf(known, need) ?? "") }];
  });
}
