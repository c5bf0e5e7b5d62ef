import { fold } from "../../platform/text.ts";
import table from "./data/markets.json";
import { type Status, statuses } from "./vocabulary.ts";

/** A market figure with its source. */
export interface Figure<Value> {
  readonly value: Value;
  readonly status: Status;
  readonly vintage: string;
  readonly source: string;
}

/** The figures that personas of a market are drawn from. Shares in percent. */
export interface Market {
  readonly code: string;
  readonly currency: string;
  /** Among adults. */
  readonly age_65_plus: Figure<number>;
  /** Among people aged 18 to 64, by band starting at 18, 25, 35, 45, 55. */
  readonly age_18_64: Figure<readonly number[]>;
  /** Among people aged 65 and over, by band starting at 65, 75. */
  readonly age_65_split: Figure<readonly number[]>;
  /** In the order of `householdTypes`. */
  readonly households: Figure<readonly number[]>;
  /** Standard deviation of log income. */
  readonly income_sigma: Figure<number>;
  /** Median disposable income per person, in EUR a year. */
  readonly median_income_eur: Figure<number>;
  readonly tertiary: Figure<number>;
  readonly urban: Figure<number>;
  readonly internet: Figure<number>;
  /** Among internet users. */
  readonly online_buyers: Figure<number>;
  /** Households with the most common voluntary cover. */
  readonly insured: Figure<number>;
}

type Code = keyof typeof table;
const codes = Object.keys(table) as Code[];

const isStatus = (status: string): status is Status => (statuses as readonly string[]).includes(status);

function figure<Value>(of: { value: Value; status: string; vintage: string; source: string }): Figure<Value> {
  const { status } = of;
  if (!isStatus(status)) throw new Error(`the markets' data know no status ${status}`);
  return { ...of, status };
}

const marketOf = (code: Code): Market => {
  const row = table[code];
  return {
    code,
    currency: row.currency,
    age_65_plus: figure(row.age_65_plus),
    age_18_64: figure(row.age_18_64),
    age_65_split: figure(row.age_65_split),
    households: figure(row.households),
    income_sigma: figure(row.income_sigma),
    median_income_eur: figure(row.median_income_eur),
    tertiary: figure(row.tertiary),
    urban: figure(row.urban),
    internet: figure(row.internet),
    online_buyers: figure(row.online_buyers),
    insured: figure(row.insured),
  };
};

const markets: ReadonlyMap<string, Market> = new Map(codes.map((code) => [code, marketOf(code)]));
const byName = new Map(codes.flatMap((code) => table[code].names.map((name) => [fold(name), code] as const)));

/** The market of an audience that names none. */
export const anyMarket = "EU";

/** Codes of the markets that personas can be drawn for. */
export const marketCodes: readonly string[] = codes;

/** The same list for messages to callers. */
export const knownMarkets = codes.map((code) => `${code} (${table[code].names[2]})`).join(", ");

/** The error message for an unknown market. */
export const unknownMarket = `must be a market that personas can be drawn for: an ISO code, or a name in English, Czech, Slovak or German, of one of ${knownMarkets}`;

/** Returns the market of a code or country name in any spelling; `undefined` if there are no figures for it. */
export function marketNamed(name: string): Market | undefined {
  const code = byName.get(fold(name).trim().replace(/\s+/g, " "));
  return code === undefined ? undefined : markets.get(code);
}
