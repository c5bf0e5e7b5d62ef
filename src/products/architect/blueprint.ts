import { countryCode } from "../../registry/countries.ts";
import type { Reading } from "./intake.ts";
import type { Choice, Intake, Match, Need, Product } from "./schema.ts";
import { kindOf, say, taxonomy } from "./taxonomy.ts";

/** Everything that is known of a solution when it is asked about: pure values, so that the same give the same answers. */
export interface Known {
  readonly solution_id: string;
  readonly intake: Intake;
  readonly reading: Reading;
  readonly products: readonly Product[];
  /** The entitlements of the firm. */
  readonly held: readonly string[];
  readonly choices: readonly Choice[];
}

/** A need with a product that may serve it. */
export interface Candidate {
  readonly need: Need;
  readonly product: Product;
  readonly fit: "full" | "part";
  /** Whether the product is made for the very country, and not for a union of them. */
  readonly isLocal: boolean;
}

/** The country that a need is about, as its two letters; null where the intake names none. */
function countryOf({ intake }: Known, need: Need): string | null {
  const country = taxonomy.needs[need.id]?.country ?? countryCode(intake.country);
  return country === undefined || country === "GLOBAL" ? null : country;
}

function covers(product: Product, country: string | null): boolean {
  if (country === null || product.countries.includes("GLOBAL") || product.countries.includes(country)) return true;
  return product.countries.includes("EU") && taxonomy.european_union.includes(country);
}

/** The channels of an intake that are known, and the surfaces that serve them. */
export const channelsOf = ({ channels }: Intake) =>
  channels.flatMap((text) => {
    const kind = kindOf(text, taxonomy.channels);
    const found = kind === null ? undefined : taxonomy.channels[kind];
    return found && kind !== null ? [{ text, kind, ...found }] : [];
  });

type Reason = Match["reasons"][number];

/** Why a product that serves a need is refused all the same. */
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
  // What names anybody is what waits for an approval.
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
    // Of a goal that was not recognised nobody knows what the product is to it.
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

/** Every need with every product: whether it serves it, and why or why not. */
export const matrixOf = (known: Known): Match[] =>
  known.reading.needs.flatMap((need) => known.products.map((product) => matchOf(known, need, product)));

/** The products that may serve each need, in the order of the catalogue. */
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
