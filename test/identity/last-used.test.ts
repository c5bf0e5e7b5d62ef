import { expect, test } from "bun:test";
import { createLastUsed } from "../../src/identity/last-used.ts";
import { minute } from "../../src/platform/clock.ts";

const start = Date.UTC(2026, 0, 1);
const key = { id: "key", firm_id: "firm", last_used_at: null };

/** A clock that the test moves, and the times written. */
function recorder(write: () => Promise<void> = async () => {}) {
  const written: number[] = [];
  let now = start;
  const clock = { now: () => now, after: () => () => {} };
  const use = createLastUsed(clock, (_, at) => {
    written.push(at);
    return write();
  });
  const advance = (ms: number) => {
    now += ms;
  };
  return { written, use, advance };
}

test("uses within a minute of the last recorded one are not written", () => {
  const { written, use, advance } = recorder();
  use(key);
  advance(minute - 1);
  use(key);
  expect(written).toEqual([start]);
  advance(1);
  use(key);
  expect(written).toEqual([start, start + minute]);
});

test("times recorded before the start count too", () => {
  const { written, use } = recorder();
  use({ ...key, last_used_at: start - minute + 1 });
  expect(written).toEqual([]);
  use({ ...key, last_used_at: start - minute });
  expect(written).toEqual([start]);
});

test("a failed write is retried at the next use", async () => {
  const { written, use } = recorder(() => Promise.reject(new Error("the disk is full")));
  use(key);
  // The rejection has been handled by now, because its handler was queued before.
  await Promise.resolve();
  use(key);
  expect(written).toEqual([start, start]);
});
