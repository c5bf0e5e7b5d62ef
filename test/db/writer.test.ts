import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeCommit } from "../../db/sqlite/closing.ts";
import { type Db, openStore, type Store } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { createWriter } from "../../db/sqlite/writer.ts";
import { until } from "../support/harness.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-writer-"));
  store = openStore(join(folder, "assay.db"));
  await migrate(store);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const open = (db: Db, name: string) =>
  db.insertInto("gates").values({ name, open: 1, changed_at: 0, changed_by: "test" }).execute();
const names = async (db: Db = store.read) =>
  (await db.selectFrom("gates").select("name").orderBy("name").execute()).map(({ name }) => name);
const settled = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

describe("writes of one turn", () => {
  test("one that fails leaves the others alone", async () => {
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        settled(
          store.write(async (tx) => {
            await open(tx, name);
            if (name === "b") throw new Error("b changed its mind");
            if (name === "c") await open(tx, "a");
          }),
        ),
      ),
    );
    expect(answers).toEqual([
      "done",
      "b changed its mind",
      expect.stringContaining("UNIQUE constraint failed"),
      "done",
    ]);
    expect(await names()).toEqual(["a", "d"]);
  });

  test("each sees what those before it wrote, and nothing of one that failed", async () => {
    const first = store.write((tx) => open(tx, "a"));
    const failing = settled(
      store.write(async (tx) => {
        await open(tx, "b");
        throw new Error("no");
      }),
    );
    const last = store.write((tx) => names(tx));
    await Promise.all([first, failing]);
    expect(await last).toEqual(["a"]);
  });

  test("each is given its own answer", async () => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.write(async () => i)));
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  });

  test("share a commit: thousands take far fewer commits than writes", async () => {
    const other = openStore(store.file);
    const version = other.sqlite.query<{ data_version: number }, []>("pragma data_version");
    let commits = 0;
    let last = version.get()?.data_version;
    const watch = () => {
      const now = version.get()?.data_version;
      if (now !== last) commits++;
      last = now;
    };
    const writes = Array.from({ length: 2_000 }, (_, i) => store.write((tx) => open(tx, `gate ${i}`)).then(watch));
    await Promise.all(writes);
    await other.close();
    expect(await names()).toHaveLength(2_000);
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThan(50);
  });

  test("a write asked for while another is carried out is done too", async () => {
    const { promise: inner, resolve } = Promise.withResolvers<unknown>();
    await store.write(async (tx) => {
      await open(tx, "a");
      resolve(store.write((later) => open(later, "b")));
    });
    await inner;
    expect(await names()).toEqual(["a", "b"]);
  });
});

describe("what is left for the end of a group", () => {
  const leave = (tx: Db, name: string) => beforeCommit(tx, () => open(tx, name));

  test("is written behind all of its jobs, in the same commit", async () => {
    const seen: string[][] = [];
    await Promise.all(
      ["a", "b"].map((name) =>
        store.write(async (tx) => {
          leave(tx, `left by ${name}`);
          await open(tx, name);
          seen.push(await names(tx));
        }),
      ),
    );
    expect(seen).toEqual([["a"], ["a", "b"]]);
    expect(await names()).toEqual(["a", "b", "left by a", "left by b"]);
  });

  test("is told to the one who left it when it can't be written, and leaves the others alone", async () => {
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        settled(
          store.write(async (tx) => {
            await open(tx, name);
            leave(tx, name === "b" ? "a" : `left by ${name}`);
          }),
        ),
      ),
    );
    expect(answers).toEqual(["done", expect.stringContaining("UNIQUE constraint failed"), "done"]);
    expect(await names()).toEqual(["a", "c", "left by a", "left by c"]);
  });
});

test("nothing is answered before its commit, and readers see committed rows only", async () => {
  let readers: string[] = ["unread"];
  const first = store.write((tx) => open(tx, "a"));
  const second = store.write(async (tx) => {
    readers = await names();
    return names(tx);
  });
  expect(await second).toEqual(["a"]);
  expect(readers).toEqual([]);
  await first;
  expect(await names()).toEqual(["a"]);
});

test("the reading connection can't write", async () => {
  await expect(open(store.read, "a")).rejects.toThrow("readonly");
});

describe("a commit that fails", () => {
  /** The commit of a deferred foreign key that leads nowhere fails, after every statement went well. */
  const dangling = (tx: Db) => {
    store.sqlite.run("pragma defer_foreign_keys = on");
    return tx.insertInto("entitlements").values({ firm_id: "nobody", name: "x", granted_at: 0 }).execute();
  };

  test("rejects every write of its group and keeps none, and the next writes go on", async () => {
    const answers: unknown[] = await Promise.all([
      settled(store.write((tx) => open(tx, "a"))),
      settled(store.write(dangling)),
      settled(store.write((tx) => open(tx, "b"))),
    ]);
    expect(answers).toEqual(Array(3).fill(expect.stringContaining("FOREIGN KEY constraint failed")));
    expect(await names()).toEqual([]);
    await store.write((tx) => open(tx, "c"));
    expect(await names()).toEqual(["c"]);
  });
});

describe("a full disk", () => {
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: { code?: string }) => error.code ?? "none",
    );
  const fill = () => {
    const { page_count } = store.sqlite.query("pragma page_count").get() as { page_count: number };
    store.sqlite.run(`pragma max_page_count = ${page_count}`);
  };

  test("is told as such to the write that meets it, leaves small ones alone, and is over when there is room", async () => {
    fill();
    expect(await codeOf(store.write((tx) => open(tx, "x".repeat(1_000_000))))).toBe("SQLITE_FULL");
    store.sqlite.run("pragma max_page_count = 1000000");
    await store.write((tx) => open(tx, "b"));
    expect(await names()).toEqual(["b"]);
  });

  test("rejects what shares a commit with it by the same code, or lets it through", async () => {
    fill();
    const [big, small] = await Promise.all([
      codeOf(store.write((tx) => open(tx, "x".repeat(1_000_000)))),
      codeOf(store.write((tx) => open(tx, "a"))),
    ]);
    expect(big).toBe("SQLITE_FULL");
    expect(["done", "SQLITE_FULL"]).toContain(small);
    expect(await names()).toEqual(small === "done" ? ["a"] : []);
  });
});

test("closing waits for what is still to be written", async () => {
  const writes = Array.from({ length: 600 }, (_, i) => store.write((tx) => open(tx, `gate ${i}`)));
  await store.close();
  await Promise.all(writes);
  store = openStore(store.file);
  expect(await names()).toHaveLength(600);
});

describe("the log on its way to the disk", () => {
  /** A writer on the store's connection, and a disk that answers when it is told to. */
  function slowDisk() {
    const syncs: PromiseWithResolvers<void>[] = [];
    let failed: Error | undefined;
    const writer = createWriter(store.sqlite, store.schema, {
      sync() {
        const sync = Promise.withResolvers<void>();
        syncs.push(sync);
        sync.promise.catch((error: Error) => {
          failed = error;
        });
        return sync.promise;
      },
      failure: () => failed,
      carryOver: async () => undefined,
    });
    const begun = (count: number) => until(() => syncs.length === count, `${count} syncs`);
    const reader = new Database(store.file, { readonly: true });
    const committed = () => reader.query<{ n: number }, []>("select count(*) as n from gates").get()?.n;
    return { writer, syncs, begun, committed };
  }

  test("nothing is answered before it is there, and what comes meanwhile shares the next commit", async () => {
    const { writer, syncs, begun } = slowDisk();
    const answered: string[] = [];
    const write = (name: string) => writer.write((tx) => open(tx, name)).then(() => answered.push(name));
    const first = write("a");
    await begun(1);
    expect(writer.unsynced()).toBeInstanceOf(Promise);
    const rest = Promise.all([write("b"), write("c")]);
    expect([answered, await names()]).toEqual([[], ["a"]]);
    syncs[0]?.resolve();
    await first;
    await begun(2);
    expect(answered).toEqual(["a"]);
    syncs[1]?.resolve();
    await rest;
    expect([answered, await names()]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
    expect(writer.unsynced()).toBeUndefined();
  });

  test("many do not wait for the disk to be free to be committed, and are answered by a sync behind their own commit", async () => {
    const { writer, syncs, begun, committed } = slowDisk();
    const answered: string[] = [];
    const write = (name: string) => writer.write((tx) => open(tx, name)).then(() => answered.push(name));
    const first = write("a");
    await begun(1);
    const many = Array.from({ length: 24 }, (_, i) => `b${10 + i}`);
    const rest = Promise.all(many.map(write));
    await until(() => committed() === 25, "all of them committed");
    expect([answered, syncs.length]).toEqual([[], 1]);
    syncs[0]?.resolve();
    await first;
    await begun(2);
    expect(answered).toEqual(["a"]);
    expect(writer.unsynced()).toBeInstanceOf(Promise);
    syncs[1]?.resolve();
    await rest;
    expect(answered).toEqual(["a", ...many]);
  });

  test("behind a sync that failed, nothing that was committed meanwhile is answered as written", async () => {
    const { writer, syncs, begun, committed } = slowDisk();
    const first = settled(writer.write((tx) => open(tx, "a")));
    await begun(1);
    const rest = Promise.all(Array.from({ length: 24 }, (_, i) => settled(writer.write((tx) => open(tx, `b${i}`)))));
    await until(() => committed() === 25, "all of them committed");
    syncs[0]?.reject(new Error("no more"));
    expect([await first, new Set(await rest), syncs.length]).toEqual(["no more", new Set(["no more"]), 1]);
  });

  test("a disk that fails is told to every write of the group, and nothing more is written", async () => {
    const { writer, syncs, begun } = slowDisk();
    const answers = Promise.all([settled(writer.write((tx) => open(tx, "a"))), settled(writer.write(async () => 1))]);
    await begun(1);
    syncs[0]?.reject(new Error("no more"));
    expect(await answers).toEqual(["no more", "no more"]);
    expect(await settled(writer.write((tx) => open(tx, "b")))).toBe("no more");
    expect(await names()).toEqual(["a"]);
  });

  test("is carried over once it is long, so that it begins anew", async () => {
    const pages = "x".repeat(1_000_000);
    for (let i = 0; i < 40; i++) await store.write((tx) => open(tx, `${i} ${pages}`));
    const { size } = statSync(`${store.file}-wal`);
    expect(size).toBeLessThan(24_000_000);
    expect(statSync(store.file).size).toBeGreaterThan(30_000_000);
  });
});
