import { seededRandom } from "../../src/platform/random.ts";
import { createRuntime, type Runtime, type Sources, systemRuntime } from "../../src/platform/runtime.ts";

/** Decided by its seed, except for the event loop's turns and threads, which are real. */
export interface TestRuntime extends Runtime {
  /** Moves time on, calling back in order whoever waits for an instant on the way. */
  advance(ms: number): void;
}

/** Time that stands still until the test moves it. */
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

/** Each use of one seed gives the same ids, chance and secrets in the same order. */
export function testRuntime({ seed = "test", at = Date.parse("2026-03-01T12:00:00.000Z") } = {}): TestRuntime {
  const { advance, now, timer } = manualTime(at);
  const random = seededRandom(seed);
  let made = 0;
  /** Of one moment, the later one is the greater one. */
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
