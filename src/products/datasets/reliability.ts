import type { Observation, ReliabilityLabel, TableFacts } from "../../../db/datasets.ts";

/** Assigns reliability labels to figures: A official and first-hand, B the owner's, C secondary, D estimated. */

/** Publishers whose own files are official statistics or a supervisor's tables. */
const official =
  /^(Eurostat|ESTAT|Destatis|Statistisches Bundesamt|Český statistický úřad|ČSÚ|Czech Statistical Office|Štatistický úrad.*|ŠÚ SR|Statistics \w+|Statistisk sentralbyrå|Danmarks Statistik|CSO.*|INSEE|INE|ISTAT|GUS|BaFin|EIOPA|ČNB|CNB|Czech National Bank|Česká národní banka|NBS|ECB|DIHK)$/i;

/** Associations, whose own tables are first-hand but not official. */
const owner =
  /^(GDV|Gesamtverband der Deutschen Versicherungswirtschaft|PKV.*|ČAP|CAP|Česká asociace pojišťoven|Czech Insurance Association|SLASPO|PIU|VVO|MABISZ|Insurance Europe|Ania|France Assureurs)$/i;

/** Registers become outdated sooner than statistics. */
const register = /\b(DIHK|IHK|JERRS|regist\w*|vermittlerregister|firmenregister|handelsregister)\b|rejstř/i;

const order: readonly ReliabilityLabel[] = ["A", "B", "C", "D"];
/** Age in months after which a figure is lowered one step: statistics, and registers. */
const statisticsMonths = 36;
const registerMonths = 18;
/** Relative difference above which two sources disagree, and up to which they corroborate each other. */
const disagreement = 0.05;
const agreement = 0.01;

/** Returns a label lowered by `steps`. */
export const lowered = (label: ReliabilityLabel, steps = 1): ReliabilityLabel =>
  order[Math.min(order.indexOf(label) + steps, order.length - 1)] ?? "D";

/**
 * Returns the label of a table that states none: A for an official publisher, B for an association; otherwise C with a
 * licence or address, or D.
 */
export function labelled({
  publisher,
  url,
  licence,
}: Pick<TableFacts, "publisher" | "url" | "licence">): ReliabilityLabel {
  if (official.test(publisher)) return "A";
  if (owner.test(publisher)) return "B";
  return url !== null || licence !== null ? "C" : "D";
}

/** Returns the month in which a period ends, counted from year 0. */
function lastMonth(period: string): number {
  const [, year, part = ""] = /^(\d{4})-?(.*)$/.exec(period) ?? [];
  const within = Number(/\d+/.exec(part)?.[0] ?? 12);
  const month = part.startsWith("Q")
    ? within * 3
    : part.startsWith("S")
      ? within * 6
      : part.startsWith("W")
        ? Math.ceil((within * 12) / 53)
        : within;
  return Number(year) * 12 + Math.min(12, month);
}

type Dated = Pick<TableFacts, "reliability" | "retrieved" | "publisher" | "title" | "code">;

/**
 * Returns the label of one figure. It is lowered one step for a break, another definition or a figure that the
 * publisher calls unreliable, and one step for a period more than three years old at publication (18 months for a
 * register). A forecast is always D.
 */
export function figureLabel(facts: Dated, { flags, period }: Pick<Observation, "flags" | "period">): ReliabilityLabel {
  if (flags.includes("f")) return "D";
  const isRegister = [facts.publisher, facts.title, facts.code ?? ""].some((text) => register.test(text));
  const age = lastMonth(facts.retrieved) - lastMonth(period);
  const isOld = age > (isRegister ? registerMonths : statisticsMonths);
  return lowered(facts.reliability, (/[bdu]/.test(flags) ? 1 : 0) + (isOld ? 1 : 0));
}

/** Another source's figure for the same thing, place, period and unit. */
export interface OtherSource {
  readonly label: ReliabilityLabel;
  readonly value: number;
}

/**
 * Compares a figure with other publishers' figures: it is lowered one step if one with the same label differs by more
 * than 5 %, and a C that agrees with another C to within 1 % counts as corroborated, which leaves it a C.
 */
export function besideOthers({ label, value }: OtherSource, others: readonly OtherSource[]) {
  const same = others.filter((other) => other.label === label);
  const apart = (other: OtherSource): number =>
    other.value === value ? 0 : Math.abs(other.value - value) / Math.max(Math.abs(other.value), Math.abs(value));
  const disputed = same.some((other) => apart(other) > disagreement);
  const corroborated = label === "C" && !disputed && same.some((other) => apart(other) <= agreement);
  return { label: disputed ? lowered(label) : label, disputed, corroborated };
}
