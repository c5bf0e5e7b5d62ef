import type { Observation, ReliabilityLabel, TableFacts } from "../../../db/datasets.ts";

/** The tests by which figures are labelled: official and first-hand A, the owner's B, secondary C, estimated D. */

/** Publishers whose own files are official statistics or a supervisor's tables. */
const official =
  /^(Eurostat|ESTAT|Destatis|Statistisches Bundesamt|Český statistický úřad|ČSÚ|Czech Statistical Office|Štatistický úrad.*|ŠÚ SR|Statistics \w+|Statistisk sentralbyrå|Danmarks Statistik|CSO.*|INSEE|INE|ISTAT|GUS|BaFin|EIOPA|ČNB|CNB|Czech National Bank|Česká národní banka|NBS|ECB|DIHK)$/i;

/** Associations, whose own tables are theirs and not official. */
const owner =
  /^(GDV|Gesamtverband der Deutschen Versicherungswirtschaft|PKV.*|ČAP|CAP|Česká asociace pojišťoven|Czech Insurance Association|SLASPO|PIU|VVO|MABISZ|Insurance Europe|Ania|France Assureurs)$/i;

/** Registers go out of date sooner than statistics do. */
const register = /\b(DIHK|IHK|JERRS|regist\w*|vermittlerregister|firmenregister|handelsregister)\b|rejstř/i;

const order: readonly ReliabilityLabel[] = ["A", "B", "C", "D"];
/** Months after which a figure is worth a step less: of statistics, and of registers. */
const statisticsMonths = 36;
const registerMonths = 18;
/** Two sources that differ by more don't bear each other out; two that differ by no more do. */
const disagreement = 0.05;
const agreement = 0.01;

/** A label so many steps down. */
export const lowered = (label: ReliabilityLabel, steps = 1): ReliabilityLabel =>
  order[Math.min(order.indexOf(label) + steps, order.length - 1)] ?? "D";

/** The label of a table that says none itself: an official publisher's is A, an association's own B; a licence or address makes it C, else it is D. */
export function labelled({
  publisher,
  url,
  licence,
}: Pick<TableFacts, "publisher" | "url" | "licence">): ReliabilityLabel {
  if (official.test(publisher)) return "A";
  if (owner.test(publisher)) return "B";
  return url !== null || licence !== null ? "C" : "D";
}

/** The month in which a period ends, counted from the year 0. */
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
 * The label of one figure: a break or another definition takes a step away, as does what the publisher calls unreliable,
 * and a period that was over three years old when the table was published (18 months where it is a register's); a forecast
 * is never more than D.
 */
export function figureLabel(facts: Dated, { flags, period }: Pick<Observation, "flags" | "period">): ReliabilityLabel {
  if (flags.includes("f")) return "D";
  const isRegister = [facts.publisher, facts.title, facts.code ?? ""].some((text) => register.test(text));
  const age = lastMonth(facts.retrieved) - lastMonth(period);
  const isOld = age > (isRegister ? registerMonths : statisticsMonths);
  return lowered(facts.reliability, (/[bdu]/.test(flags) ? 1 : 0) + (isOld ? 1 : 0));
}

/** A figure that another source gives too, for the same thing, place and period in the same unit. */
export interface OtherSource {
  readonly label: ReliabilityLabel;
  readonly value: number;
}

/**
 * What other publishers' figures make of one: a step less where one of the same label differs by more than 5 %, and for a
 * C that another C agrees with to 1 % that it is corroborated, which leaves it a C.
 */
export function besideOthers({ label, value }: OtherSource, others: readonly OtherSource[]) {
  const same = others.filter((other) => other.label === label);
  const apart = (other: OtherSource): number =>
    other.value === value ? 0 : Math.abs(other.value - value) / Math.max(Math.abs(other.value), Math.abs(value));
  const disputed = same.some((other) => apart(other) > disagreement);
  const corroborated = label === "C" && !disputed && same.some((other) => apart(other) <= agreement);
  return { label: disputed ? lowered(label) : label, disputed, corroborated };
}
