import { expect } from "bun:test";

/** A sample of a metric as Prometheus reads it. */
export interface Read {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const comment = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`);
const line = new RegExp(`^(${name})(?:\\{(.*)\\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$`);
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/g;

function labelsIn(text: string): Record<string, string> {
  const found = [...text.matchAll(label)];
  expect(found.map(([whole]) => whole).join("")).toBe(text);
  const names = found.map(([, key = ""]) => key);
  expect(new Set(names).size).toBe(names.length);
  return Object.fromEntries(found.map(([, key = "", value = ""]) => [key, value]));
}

/** Checks that buckets ascend up to `+Inf`, which equals the count. */
function checkHistogram(family: string, figures: readonly Read[]): void {
  const series = Map.groupBy(figures, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const of of series.values()) {
    const buckets = of.filter((one) => one.name === `${family}_bucket`);
    const values = buckets.map(({ value }) => value);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    const bounds = buckets.map(({ labels }) => Number(labels.le === "+Inf" ? Number.POSITIVE_INFINITY : labels.le));
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(buckets.at(-1)?.labels.le).toBe("+Inf");
    expect(of.find((one) => one.name === `${family}_count`)?.value).toBe(values.at(-1));
    expect(of.filter((one) => one.name === `${family}_sum`)).toHaveLength(1);
  }
}

/**
 * Parses the text format 0.0.4 as strictly as `promtool check metrics`: each family once, HELP and TYPE before its
 * samples, no duplicate samples, counters ending in `_total`, consistent histograms.
 */
export function readExposition(text: string): readonly Read[] {
  expect(text.endsWith("\n")).toBe(true);
  const families = new Map<string, { type: string; figures: Read[] }>();
  const seen = new Set<string>();
  let current = "";
  let helped = "";
  for (const each of text.slice(0, -1).split("\n")) {
    const [, kind, family = "", rest = ""] = comment.exec(each) ?? [];
    if (kind === "HELP") {
      expect(families.has(family)).toBe(false);
      helped = family;
    } else if (kind === "TYPE") {
      expect([family, rest]).toEqual([helped, expect.stringMatching(/^(counter|gauge|histogram)$/)]);
      families.set(family, { type: rest, figures: [] });
      current = family;
    } else {
      const [, figure = "", labels = "", value = ""] = line.exec(each) ?? [];
      const { type = "", figures = [] } = families.get(current) ?? {};
      const names = type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => current + end) : [current];
      expect(names, each).toContain(figure);
      expect(seen.has(`${figure}{${labels}}`)).toBe(false);
      seen.add(`${figure}{${labels}}`);
      figures.push({ name: figure, labels: labelsIn(labels), value: Number(value) });
    }
  }
  for (const [family, { type, figures }] of families) {
    expect(figures.length).toBeGreaterThan(0);
    expect(family.endsWith("_total")).toBe(type === "counter");
    if (type === "histogram") checkHistogram(family, figures);
  }
  return [...families.values()].flatMap(({ figures }) => figures);
}
