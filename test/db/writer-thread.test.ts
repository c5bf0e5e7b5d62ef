import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, openThreadedStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Db } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { transitionOf } from "../../src/execution/transition.ts";
import { type Runtime, startThread } from "../../src/platform/runtime.ts";
import { hangingDisk } from "../support/hanging-disk.ts";
import { until } from "../support/harness.ts";
import { testRuntime } from "../support/runtime.ts";

/** How a store handles a writer thread that hangs or dies, and work that hangs in a transaction. */

let file: string;
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), "assay-thread-")), "assay.db");
  const store = openStore(file);
  await migrate(store);
  await store.close();
});
afterEach(() => rmSync(join(file, ".."), { recursive: true }));

/** Opens a store on a clock that the test controls; its thread is the product's, or one of the tests' own. */
function open(thread?: string) {
  const runtime = testRuntime();
  const failures: Error[] = [];
  const own: Runtime = thread
    ? { ...runtime, thread: (_, listener) => startThread(new URL(thread, import.meta.url).href, listener) }
    : runtime;
  const store = openThreadedStore(file, { runtime: own, onFailure: (error) => failures.push(error) });
  return { store, failures, advance: runtime.advance };
}

const gate = (tx: Db, name: string) =>
  tx.insertInto("gates").values({ name, open: 1, changed_at: 0, changed_by: "test" }).execute();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

test("an unresponsive thread blocks its callers for 30 seconds without a failure", async () => {
  const { store, failures, advance } = open("./threads/hanging.ts");
  const commit = codeOf(store.commit(transitionOf({})));
  await new Promise<void>((resolve) => setImmediate(resolve));
  advance(29_999);
  expect(await Promise.race([commit, Promise.resolve("waiting")])).toBe("waiting");
  advance(1);
  expect(await commit).toBe("SQLITE_BUSY");
  expect([store.failure(), failures]).toEqual([undefined, []]);
});

test("a thread that dies fails all waiting and later writes, and is reported once", async () => {
  const { store, failures } = open("./threads/dying.ts");
  const answers = await Promise.all([
    codeOf(store.commit(transitionOf({}))),
    codeOf(store.write((tx) => gate(tx, "a"))),
  ]);
  expect(answers).toEqual(["SQLITE_IOERR", "SQLITE_IOERR"]);
  expect(await codeOf(store.commit(transitionOf({})))).toBe("SQLITE_IOERR");
  expect(failures).toHaveLength(1);
  expect(store.failure()).toBe(failures[0]);
});

test("a hanging transaction is rolled back, its later queries are refused, and other writes continue", async () => {
  const { store, advance } = open();
  let late: Promise<string> = Promise.resolve("");
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const hanging = codeOf(
    store.write(async (tx) => {
      await gate(tx, "hanging");
      late = new Promise<void>((goOn) => void store.write((other) => gate(other, "next")).then(() => goOn())).then(() =>
        codeOf(gate(tx, "late")),
      );
      resolve();
      await new Promise(() => undefined);
    }),
  );
  await begun;
  advance(30_000);
  expect(await hanging).toBe("SQLITE_BUSY");
  expect(await late).toContain("the transaction has ended");
  const rows = await unscoped(store.read).selectFrom("gates").select("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(["next"]);
  await store.close();
});

test("a transaction that a hanging disk starts too late is rolled back, and other writes continue", async () => {
  const clock = testRuntime();
  const disk = hangingDisk(clock);
  const store = openThreadedStore(file, { runtime: disk.runtime, onFailure: () => undefined });
  await store.write((tx) => gate(tx, "before"));
  disk.hang();
  const late = codeOf(store.write((tx) => gate(tx, "late")));
  await until(() => disk.waiting() === 1, "the transaction waits for its begin");
  clock.advance(30_000);
  expect(await late).toBe("SQLITE_BUSY");
  disk.goOn();
  expect(await codeOf(store.commit(transitionOf({})))).toBe("done");
  expect(await codeOf(store.write((tx) => gate(tx, "after")))).toBe("done");
  const rows = await unscoped(store.read).selectFrom("gates").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(["after", "before"]);
  await store.close();
});
