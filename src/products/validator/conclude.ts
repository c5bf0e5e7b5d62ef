import type { EngineIdentity } from "../../contracts/engine.ts";
import { filled } from "../../platform/text.ts";
import type { Interruptible } from "../slices.ts";
import coefficients from "./data/coefficients.json";
import type { Drawn } from "./draw.ts";
import type { Hypothesis } from "./hypothesis.ts";
import { type Matter, variantsOf } from "./interview.ts";
import type { Market } from "./markets.ts";
import { labelled, notesOf, unasked } from "./notes.ts";
import type { Report, Verdict } from "./report.ts";
import { depths } from "./sizes.ts";
import type { Study } from "./study.ts";
import type { Trait } from "./traits.ts";
import type { Status } from "./vocabulary.ts";
import {
  type Asked,
  bestChange,
  bootstrapInterval,
  type Change,
  calibrated,
  criticalObjection,
  distributionOf,
  type Interval,
  objectionShares,
  perturbedIntents,
  priceCurve,
  segmentsOf,
  vanWestendorp,
} from "./weigh.ts";

/** A study whose interviews are complete, with everything that its report needs. */
export interface Studied {
  readonly matter: Matter;
  readonly read: Hypothesis;
  readonly market: Market;
  /** How the personas were drawn. */
  readonly drawn: Pick<Drawn, "share" | "left_out">;
  readonly targets: readonly Trait[];
  readonly other_market: Study["other_market"];
  /** Phrases of the audience's description that no persona was chosen by. */
  readonly not_used: readonly string[];
  /** The same for the hypothesis's words for its target group, and whether that group is firms. */
  readonly undescribed: Study["undescribed"];
  readonly asked: readonly Asked[];
  readonly engine: EngineIdentity;
  /** Further inputs of the interviews, for the reliability card. */
  readonly inputs: Report["card"]["inputs"];
}

/** The result of a study. */
export interface Conclusion {
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly summary: string;
  readonly report: Report;
}

const percent = (share: number): number => Math.round(share * 100);
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Share of personas above which an objection rules out a GO. */
const criticalShare = 0.3;

/**
 * Whether the hypothesis states who and what, and at least one more part for certain; otherwise it gets neither GO nor
 * NO-GO.
 */
const isUnderstood = ({ who, offer, missing, unsure: guessed }: Hypothesis): boolean =>
  who !== null && offer !== null && missing.length + guessed.length <= 3;

type Doubt = "not_understood" | "other_people" | "contradictory" | "negative" | "critical";

/** Returns the reason that the verdict can't follow from the interval alone; `null` if it can. */
function doubtOf(studied: Studied): Doubt | null {
  const { read, asked } = studied;
  // Check for an impossible price first: it can occur when little else is understood, and then counts as no price.
  if (read.negative) return "negative";
  if (read.contradictory) return "contradictory";
  if (!isUnderstood(read)) return "not_understood";
  if (unasked(studied).length > 0) return "other_people";
  const critical = criticalObjection(asked);
  return critical && critical.share > criticalShare ? "critical" : null;
}

function verdictOf({ low, high }: Interval, threshold: number, doubt: Doubt | null): Verdict {
  if (high < threshold) return doubt === null || doubt === "critical" ? "NO-GO" : "CONDITIONAL";
  return low > threshold && doubt === null ? "GO" : "CONDITIONAL";
}

const worth: Readonly<Record<Status | "design", number>> = { read: 1, derived: 0.5, unverified: 0, design: 0 };
const figures = [
  "age_65_plus",
  "age_18_64",
  "age_65_split",
  "households",
  "income_sigma",
  "median_income_eur",
  "tertiary",
  "urban",
  "internet",
  "online_buyers",
  "insured",
] as const;

/** Returns the source and status of each input. */
export function inputsOf(market: Market): Report["card"]["inputs"] {
  const drawn = figures.map((name) => {
    const { vintage, status, source } = market[name];
    return { name, vintage, status, source };
  });
  const literature = coefficients.literature.map(({ rests, source, status }) => ({
    name: rests,
    vintage: coefficients.version,
    status: (["read", "derived", "unverified"] as const).find((known) => known === status) ?? ("design" as const),
    source,
  }));
  return [...drawn, ...literature];
}

const surest = 0.6;
const unsure = 0.1;
const weightOf = { who: 1, problem: 1, offer: 1, price: 1, channel: 0.5, proof: 0.5 } as const;

/**
 * Returns the interval's narrowness, times the hypothesis's completeness (an unsure part counts half), times the share
 * of inputs read at their source (a derived one counts half). At most 0.6, since no survey backs it.
 */
function confidenceOf({ read, market }: Studied, { low, high }: Interval, doubt: Doubt | null): number {
  const total = Object.values(weightOf).reduce((sum, weight) => sum + weight, 0);
  const missing = read.missing.reduce((sum, part) => sum + weightOf[part], 0);
  const guessed = read.unsure.reduce((sum, part) => sum + weightOf[part] / 2, 0);
  const inputs = inputsOf(market);
  const known = inputs.reduce((sum, { status }) => sum + worth[status], 0) / inputs.length;
  const found = Math.min(surest, (1 - (high - low)) * (1 - (missing + guessed) / total) * (0.5 + known / 2));
  const isUnclear = doubt !== null && doubt !== "critical";
  return rounded(isUnclear ? Math.min(unsure, found) : found);
}

/** Returns the main objection of the unwilling, in words; `null` if there is none. */
function objectionText({ asked, matter: { texts } }: Studied): string | null {
  const critical = criticalObjection(asked);
  if (!critical) return null;
  const { share, name } = critical;
  return filled(texts.unclear.critical, { share: percent(share), objection: texts.objections[name] });
}

/** Returns the condition in words; a reason that rules out a GO comes before the most effective change. */
function conditionOf(studied: Studied, doubt: Doubt | null, change: Change | null): NonNullable<Report["condition"]> {
  const { matter, read } = studied;
  const { texts } = matter;
  if (doubt !== null && doubt !== "critical") {
    const missing = read.missing.map((part) => texts.parts[part]).join(", ");
    const left_out = labelled(unasked(studied), texts);
    return { change: doubt, text: filled(texts.unclear[doubt], { missing, left_out }), intent: null };
  }
  if (!change) return { change: "none", text: objectionText(studied) ?? texts.conditions.none, intent: null };
  const names: Readonly<Record<string, string>> = { ...texts.channels, ...texts.segments };
  const detail = names[change.detail ?? ""] ?? "";
  const moves = filled(texts.conditions[change.change], {
    intent: percent(change.intent),
    channel: detail,
    segment: detail,
  });
  // With an interval above the threshold it would be a GO, so the text must say why it is not.
  const text = [doubt === "critical" ? objectionText(studied) : null, moves].filter((part) => part !== null).join("; ");
  return { change: change.change, text, intent: rounded(change.intent) };
}

function priceOf({ asked, matter }: Studied): Report["price"] {
  const curve = priceCurve(asked, matter.anchor);
  if (!curve) return null;
  const ladder = curve.ladder.map(({ price, intent }) => ({ price, intent: rounded(intent) }));
  return { stated: matter.facts.price, ladder, best: curve.best, van_westendorp: vanWestendorp(asked) };
}

/** Returns the intent at the lower and upper ends of a language model's repeated answers. */
function repetitionBand({ asked }: Studied, judge: (intent: number) => Verdict): Report["sensitivity"] {
  const at = (side: -1 | 1) =>
    calibrated(asked.map(({ answer }) => Math.min(10, Math.max(0, answer.juster + (side * (answer.spread ?? 0)) / 2))));
  const [low, high] = [at(-1), at(1)];
  return { low: rounded(low), high: rounded(high), same_verdict: judge(low) === judge(high) ? 1 : 0 };
}

function* sensitivityOf(studied: Studied, judge: (intent: number) => Verdict): Interruptible<Report["sensitivity"]> {
  const { matter, asked } = studied;
  if (asked.some(({ answer }) => typeof answer.spread === "number")) return repetitionBand(studied, judge);
  if (!depths[matter.size].sensitivity) return null;
  const intents = yield* perturbedIntents(asked, matter);
  const sorted = [...intents].sort((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.round(share * (sorted.length - 1))] ?? 0);
  const own = judge(calibrated(asked.map(({ answer }) => answer.juster)));
  const same = intents.filter((intent) => judge(intent) === own).length / intents.length;
  return { low: at(0.1), high: at(0.9), same_verdict: rounded(same) };
}

/** Returns the label of another price or channel. */
function alternativeLabel(name: string, { texts }: Matter): string {
  const prices: Readonly<Record<string, string>> = texts.alternatives;
  const channels: Readonly<Record<string, string>> = texts.channels;
  const channel = channels[name.replace(/^channel:/, "")];
  return channel === undefined ? (prices[name] ?? name) : filled(texts.alternatives.channel, { channel });
}

/** Returns the parts of the report that only the largest size has. */
function furtherOf({ asked, matter }: Studied): Pick<Report, "alternatives" | "red_team"> {
  if (!depths[matter.size].alternatives) return { alternatives: [], red_team: null };
  const names = [...variantsOf(matter.facts, matter.anchor).keys()];
  const alternatives = names.map((name) => ({
    name,
    label: alternativeLabel(name, matter),
    intent: rounded(calibrated(asked.map(({ answer }) => answer.alternatives?.[name] ?? 0))),
  }));
  return {
    alternatives: alternatives.sort((a, b) => b.intent - a.intent),
    red_team: { intent: rounded(calibrated(asked.map(({ answer }) => answer.pressed ?? 0))) },
  };
}

const understood = ({ language, who, problem, offer, price, channel, proof, missing, unsure }: Hypothesis) => ({
  language,
  who,
  problem,
  offer,
  price,
  channel,
  proof,
  missing: [...missing],
  unsure: [...unsure],
});

const namesOf = (traits: readonly Trait[]): string[] => traits.map(({ name }) => name);

/** Computes a study's result, yielding to other work. Called by `perform.ts`. */
export function* conclude(studied: Studied): Interruptible<Conclusion> {
  const { matter, read, market, drawn, targets, asked, engine } = studied;
  const { texts, seed, size } = matter;
  const { threshold } = depths[size];
  const answers = asked.map(({ answer }) => answer.juster);
  const interval = yield* bootstrapInterval(answers, seed);
  const intent = calibrated(answers);
  const doubt = doubtOf(studied);
  const verdict = verdictOf(interval, threshold, doubt);
  const condition = conditionOf(studied, doubt, yield* bestChange(asked, matter));
  const offset = { low: interval.low - intent, high: interval.high - intent };
  const judge = (at: number) =>
    verdictOf({ ...interval, low: at + offset.low, high: at + offset.high }, threshold, doubt);
  const sensitivity = yield* sensitivityOf(studied, judge);
  const shown = { ...interval, low: rounded(interval.low), high: rounded(interval.high) };
  const summary = filled(texts.verdict[verdict], {
    intent: percent(intent),
    n: asked.length,
    low: percent(interval.low),
    high: percent(interval.high),
    threshold: percent(threshold),
    size,
    condition: condition.text,
  });
  const labels: Readonly<Record<string, string>> = texts.segments;
  const report: Report = {
    intent: rounded(intent),
    raw_intent: rounded(answers.reduce((sum, answer) => sum + answer, 0) / (10 * answers.length)),
    interval: shown,
    threshold,
    personas: asked.length,
    distribution: distributionOf(asked),
    condition,
    segments: segmentsOf(asked).map((one) => ({
      ...one,
      label: labels[one.name] ?? one.name,
      intent: rounded(one.intent),
    })),
    objections: objectionShares(asked).map(({ name, share: part }) => ({
      name,
      label: texts.objections[name],
      share: rounded(part),
    })),
    price: priceOf(studied),
    sensitivity,
    ...furtherOf(studied),
    hypothesis: understood(read),
    market: {
      code: market.code,
      share: rounded(drawn.share),
      described: namesOf(targets),
      left_out: namesOf(drawn.left_out),
    },
    notes: notesOf(studied),
    card: {
      engine,
      coefficients: coefficients.version,
      seed,
      inputs: [...inputsOf(market), ...studied.inputs],
      interval: shown,
      note: texts.note,
    },
  };
  return { verdict, confidence: confidenceOf(studied, interval, doubt), summary, report };
}
