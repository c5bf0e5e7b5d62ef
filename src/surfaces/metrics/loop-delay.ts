import { minute } from "../../platform/clock.ts";
import { createSeries, type Family } from "../../platform/exposition.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Interval between measurements of the event loop, in milliseconds. */
const interval = 100;
/** Time after the last scrape at which measuring stops, so that an idle server is not kept awake. */
const patience = 5 * minute;
/** Bucket bounds, in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Measures how late timers fire, while metrics are scraped regularly. */
export function measureLoopDelay(runtime: Pick<Runtime, "after" | "elapsed">) {
  const series = createSeries(bounds);
  let until = 0;
  let isRunning = false;

  function look(): void {
    const due = runtime.elapsed() + interval;
    runtime.after(interval, () => {
      const now = runtime.elapsed();
      series.observe(Math.max(0, now - due) / 1_000);
      if (now < until) look();
      else isRunning = false;
    });
  }

  return {
    family(): Family {
      until = runtime.elapsed() + patience;
      if (!isRunning) look();
      isRunning = true;
      return {
        name: "assay_event_loop_delay_seconds",
        type: "histogram",
        help: "How late timers of the event loop fire. Measured while metrics are scraped at least every five minutes.",
        samples: series.samples({}),
      };
    },
  };
}
