#!/usr/bin/env bun
import { cpus } from "node:os";
import { conclude } from "../../src/products/validator/conclude.ts";
import { interview } from "../../src/products/validator/interview.ts";
import { decisionSizes } from "../../src/products/validator/sizes.ts";
import { drawnFor, personasOfDrawn, seedOf, studyOf } from "../../src/products/validator/study.ts";
import hypotheses from "../products/validator/hypotheses-blind.json";

/**
 * `bun run bench:validator`: CPU time of a complete study of 50 personas, and the longest time that it blocks the event
 * loop, over forty hypotheses. Limits: M under 200 ms, XL under 1,500 ms, a slice under 20 ms.
 */

const bounds: Readonly<Record<string, number>> = { M: 200, XL: 1_500 };
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Runs a study as in production: slices end where it yields, and between its parts. */
function study(hypothesis: string, decision_size: (typeof decisionSizes)[number]) {
  const slices: number[] = [];
  let since = performance.now();
  const slice = () => {
    slices.push(performance.now() - since);
    since = performance.now();
  };
  const asked = { hypothesis, market: "CZ", audience_text: "Young families.", decision_size, size: 50 };
  const asking = { ...asked, audience_market: "CZ", seed: seedOf(asked), language: "en" as const };
  const read = studyOf(asking);
  /** Runs a generator to completion, timing each slice between two yields. */
  const through = <T>(work: Generator<undefined, T>): T => {
    for (;;) {
      const step = work.next();
      slice();
      if (step.done) return step.value;
    }
  };
  const drawn = through(drawnFor(read, asking));
  const personas = personasOfDrawn(read, drawn);
  slice();
  const answers = personas.map((persona) => {
    const answer = interview(persona, read.matter);
    slice();
    return { persona, answer };
  });
  const engine = { name: "market-validator", version: "1.0.0", model: null };
  const again = through(drawnFor(read, asking));
  through(conclude({ ...read, drawn: again, asked: answers, engine, inputs: [] }));
  return Math.max(...slices);
}

for (const { text } of hypotheses) study(text, "M");
console.log(`${cpus().length} cores, ${cpus()[0]?.model}, bun ${Bun.version}`);
let isOver = false;
for (const size of decisionSizes) {
  const times: number[] = [];
  const slices: number[] = [];
  for (const { text } of hypotheses) {
    const began = cpuMs();
    slices.push(study(text, size));
    times.push(cpuMs() - began);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const most = times.at(-1) ?? 0;
  const bound = bounds[size];
  if (bound !== undefined && most > bound) isOver = true;
  const held = slices.sort((a, b) => a - b)[Math.floor(slices.length / 2)] ?? 0;
  console.log(
    `50 personas at ${size}: ${median.toFixed(1)} ms of CPU (median), ${most.toFixed(1)} ms at most${bound === undefined ? "" : `, bound ${bound} ms`}; longest slice ${held.toFixed(1)} ms (median), ${slices.at(-1)?.toFixed(1)} ms at most`,
  );
}
if (isOver) process.exit(1);
