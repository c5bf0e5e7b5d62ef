import { seededRandom } from "../../src/platform/random.ts";
import { createRuntime, type Runtime, type Sources, systemRuntime } from "../../src/platform/runtime.ts";

/** A runtime determined by its seed, except for the event loop and threads, which are real. */
export interface TestRuntime extends Runtime {
  /** Advances the clock, firing due timers in order. */
  advance(ms: number): void;
}

/** A clock that only the test advances. */
function manualTime(start: number) {
  let time = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const advance = (ms: number): void => {
    const until = time + ms;
    for (;;) {
      const [next] = [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      time = Math.max(time, next.at);
      timers.delete(next);
      next.callback();
    }
    time = until;
  };
  const timer: Sources["timer"] = (ms, callback) => {
    const made = { at: time + ms, callback };
    timers.add(made);
    if (ms <= 0) setImmediate(() => advance(0));
    return () => void timers.delete(made);
  };
  return { now: () => time, timer, advance };
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** Creates a runtime. The same seed gives the same ids, random numbers and secrets in the same order. */
export function testRuntime({ seed = "test", at = Date.parse("2026-03-01T12:00:00.000Z") } = {}): TestRuntime {
  const { advance, now, timer } = manualTime(at);
  const random = seededRandom(seed);
  let made = 0;
  /** Ids of the same moment ascend. */
  const id = (moment = now()) => {
    const time = hex(moment, 12);
    const seq = hex(++made, 6);
    const tail = hex(Math.floor(random() * 2 ** 32), 12);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${seq.slice(0, 3)}-8${seq.slice(3)}-${tail}`;
  };
  const runtime = createRuntime({
    ...{ now, timer, id, random },
    elapsed: () => now() - at,
    randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
    soon: systemRuntime.soon,
    resolveHost: async (name) => {
      throw new Error(`no test resolves ${name}`);
    },
    resident: systemRuntime.resident,
    threadCpu: systemRuntime.threadCpu,
    thread: systemRuntime.thread,
  });
  return { ...runtime, advance };
}
