/**
 * The Prometheus text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/. Written here
 * because a client library would cost the server 26 MiB.
 */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** All samples of one metric name. Histograms are built with `createHistogram`. */
export interface Family {
  /** Includes the unit, and the suffix `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Each with its suffix, for a histogram. */
  readonly samples: readonly (Sample & { readonly suffix?: string })[];
}

/** A metric with one sample and no labels. */
export const single = (name: string, type: "counter" | "gauge", help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ labels: {}, value }],
});

const escaped = (text: string): string => text.replace(/[\\\n"]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`));

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const number = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);

/** Renders the families as text. Families without samples are omitted. */
export function exposition(families: readonly Family[]): string {
  const lines = families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replace(/[\\\n]/g, (sign) => (sign === "\n" ? "\\n" : "\\\\"))}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${labelled(labels)} ${number(value)}`),
    ]);
  return `${lines.join("\n")}\n`;
}

/** One time series of a histogram. */
export interface Series {
  observe(value: number): void;
  samples(labels: Labels): Family["samples"];
}

/**
 * Creates a series that counts each value in the first bucket whose upper bound it does not exceed. `bounds` must be
 * ascending.
 */
export function createSeries(bounds: readonly number[]): Series {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(value) {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    samples(labels) {
      let below = 0;
      const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, at) => {
        below += counts[at] ?? 0;
        return { suffix: "_bucket", labels: { ...labels, le: number(bound) }, value: below };
      });
      return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
    },
  };
}
