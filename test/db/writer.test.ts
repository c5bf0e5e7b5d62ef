import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { firmAccount } from "../../db/accounts.ts";
import { auditHash, genesis } from "../../db/audit-chain.ts";
import { auditPage } from "../../db/queries/audit.ts";
import { addCredits } from "../../db/queries/ledger.ts";
import { openStore, openThreadedStore } from "../../db/sqlite/connection.ts";
import type { GroupWriter } from "../../db/sqlite/group-writer.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { createWriter } from "../../db/sqlite/writer.ts";
import type { Db, Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { Guard, Transition } from "../../db/transition.ts";
import { type Movement, transfersOf } from "../../src/execution/credits/ledger.ts";
import { transitionOf } from "../../src/execution/transition.ts";
import { newId } from "../../src/platform/ids.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

/** One suite for both writers: in the event loop, and in a separate thread. */
const writers = [
  { name: "in the event loop", open: (file: string): Store => openStore(file) },
  {
    name: "in a separate thread",
    open: (file: string): Store => openThreadedStore(file, { runtime: systemRuntime, onFailure: () => undefined }),
  },
];

const open = (db: Db, name: string) =>
  db.insertInto("gates").values({ name, open: 1, changed_at: 0, changed_by: "test" }).execute();
const settled = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code ?? "none",
  );

const counter = (name: string) => ({ firm_id: "f", name, period: "ever" });
const quota = (name: string, maximum: number | null): Guard => ({ guard: "quota", maximum, ...counter(name) });
const claim = (key: string, resource_id: string, input_hash = "hash"): Guard => ({
  guard: "claim",
  firm_id: "f",
  operation: "test",
  key,
  input_hash,
  resource_id,
  created_at: 1,
});
const charge = (run_id: string) => ({ firm_id: "f", run_id, at: 1, id: newId });
const audited = (subject: string): Pick<Transition, "audit"> => ({
  audit: [{ at: 1, firm_id: "f", actor: "test", action: "test.done", subject, data: {} }],
});
const effect = (id: string) => ({
  id,
  actor_id: "actor",
  machine: "run",
  firm_id: "f",
  kind: "step",
  engine: "echo",
  payload_json: "{}",
  due_at: 1,
  owner: null,
  lease_until: 0,
});

test("two callers that wait for the writer to drain both resume, even if more is written in between", async () => {
  const held: PromiseWithResolvers<void>[] = [];
  const connection: GroupWriter = {
    async commit(transitions) {
      const hold = Promise.withResolvers<void>();
      held.push(hold);
      await hold.promise;
      return transitions.map(() => ({ seq: null }));
    },
    begin: () => Promise.reject(new Error("no transaction here")),
    end: async () => undefined,
    failure: () => undefined,
    close: async () => undefined,
  };
  const writer = createWriter(connection, systemRuntime.nextTurn);
  const first = writer.commit(transitionOf({}));
  const waiters = [writer.drained(), writer.drained()];
  // The second commit is submitted as soon as the first is done, before the waiters check again.
  const second = first.then(() => writer.commit(transitionOf({})));
  for (let n = 0; n < 2; n++) {
    while (!held[n]) await systemRuntime.nextTurn();
    held[n]?.resolve();
  }
  await Promise.all([first, second, ...waiters]);
  expect(held).toHaveLength(2);
});

describe.each(writers)("a store whose writer is $name", ({ open: openWith }) => {
  let folder: string;
  let store: Store;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-writer-"));
    store = openWith(join(folder, "assay.db"));
    await migrate(store);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const names = async (db: Db = store.read) =>
    (await db.selectFrom("gates").select("name").orderBy("name").execute()).map(({ name }) => name);
  const subjects = async () => {
    const rows = await auditPage(unscoped(store.read), 0, 10_000);
    let previous = genesis;
    for (const { hash, ...row } of rows) {
      expect(auditHash(previous, row)).toBe(hash);
      previous = hash;
    }
    return rows.map(({ subject }) => subject);
  };
  const used = async () =>
    Object.fromEntries(
      (await unscoped(store.read).selectFrom("uses").select(["name", "used"]).execute()).map((u) => [u.name, u.used]),
    );
  const balance = () =>
    unscoped(store.read)
      .selectFrom("balances")
      .select(["available", "reserved"])
      .where("account", "=", firmAccount("f"))
      .executeTakeFirst();
  const credit = (amount: number) =>
    store.write(async (tx) => {
      await addCredits.run(tx, { account: firmAccount("f"), amount });
    });
  const moving = (run: string, ...movements: Movement[]) =>
    transitionOf({ transfers: transfersOf(charge(run), movements) });

  describe("transitions", () => {
    test("of one turn share a commit: thousands take far fewer commits than transitions", async () => {
      const other = new Database(store.file, { readonly: true });
      const version = other.query<{ data_version: number }, []>("pragma data_version");
      let commits = 0;
      let last = version.get()?.data_version;
      const watch = () => {
        const now = version.get()?.data_version;
        if (now !== last) commits++;
        last = now;
      };
      const all = Array.from({ length: 2_000 }, (_, i) => store.commit(transitionOf(audited(`${i}`))).then(watch));
      await Promise.all(all);
      other.close();
      expect(await subjects()).toEqual(Array.from({ length: 2_000 }, (_, i) => `${i}`));
      expect(commits).toBeGreaterThan(0);
      expect(commits).toBeLessThan(50);
    });

    test("that are large share fewer commits: a group never blocks the event loop longer than allowed", async () => {
      const value_json = JSON.stringify("x".repeat(70_000));
      await store.commit(transitionOf({ effects: { add: [effect("long")], remove: [] } }));
      const part = (key: string) => ({ actor_id: "actor", step: "s", key, value_json, effect_id: "long" });
      const before = store.generation();
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          store.commit(transitionOf({ checkpoints: { put: [part(`${i}`)], clear: [] } })),
        ),
      );
      expect(store.generation() - before).toBe(4);
      const rows = await unscoped(store.read).selectFrom("checkpoints").select("key").orderBy("key").execute();
      expect(rows.map(({ key }) => key)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    });

    test("that are small overtake large ones that wait", async () => {
      const ended: string[] = [];
      const commit = (name: string, transition: Transition) => store.commit(transition).then(() => ended.push(name));
      await store.commit(transitionOf({ effects: { add: [effect("long")], remove: [] } }));
      const value_json = JSON.stringify("x".repeat(130_000));
      const long = (key: string) => ({ put: [{ actor_id: "actor", step: "s", key, value_json, effect_id: "long" }] });
      await Promise.all([
        ...["1", "2", "3"].map((key) =>
          commit(`long ${key}`, transitionOf({ checkpoints: { ...long(key), clear: [] } })),
        ),
        commit("short", transitionOf(audited("short"))),
      ]);
      expect(ended).toEqual(["short", "long 1", "long 2", "long 3"]);
    });

    test("are independent: a refused one leaves nothing and does not affect its group", async () => {
      await credit(100);
      await store.commit(transitionOf({ effects: { add: [effect("e")], remove: [] } }));
      const reserve: Movement = { type: "reserve", credits: 60 };
      const outcomes = await Promise.all([
        store.commit({ ...moving("1", reserve), guards: [claim("k1", "1"), quota("q", 2)], ...audited("1") }),
        // Too few credits: the key, the quota use and the effect are rolled back.
        store.commit({
          ...moving("2", reserve),
          guards: [claim("k2", "2"), quota("q", 2), { guard: "effect", effect: effect("e") }],
          ...audited("2"),
        }),
        store.commit(transitionOf({ guards: [claim("k2", "3"), quota("q", 2)], ...audited("3") })),
        store.commit(transitionOf({ guards: [claim("k4", "4"), quota("q", 2)], ...audited("4") })),
        store.commit(transitionOf({ guards: [claim("k1", "5", "other"), quota("q", 9)], ...audited("5") })),
        store.commit(transitionOf({ guards: [{ guard: "effect", effect: effect("e") }], ...audited("6") })),
        store.commit(transitionOf({ guards: [{ guard: "effect", effect: effect("e") }], ...audited("7") })),
      ]);
      expect(outcomes).toEqual([
        { seq: null },
        { refused: "insufficient_credits" },
        { seq: null },
        { refused: "quota_exceeded" },
        { refused: "idempotency_key_used", earlier: { input_hash: "hash", resource_id: "1" } },
        { seq: null },
        { refused: "effect_done" },
      ]);
      expect(await subjects()).toEqual(["1", "3", "6"]);
      expect(await used()).toEqual({ q: 2 });
      expect(await balance()).toEqual({ available: 40, reserved: 60 });
    });

    test("a lease is available to its owner, after its expiry, and to a later process of the same node", async () => {
      await store.commit(transitionOf({ effects: { add: [effect("leased")], remove: [] } }));
      const take = (owner: string, at: number, effect_id = "leased") => {
        const node = `${owner.split("/")[0]}/`;
        const lease = { effect_id, owner, node, at, until: at + 100 };
        return store
          .commit(transitionOf({ guards: [{ guard: "lease", ...lease }] }))
          .then(({ refused }) => refused ?? "ours");
      };
      expect(await take("a/2", 0)).toBe("ours");
      expect(await take("a/2", 10)).toBe("ours");
      expect(await take("b/1", 109)).toBe("effect_held");
      expect(await take("a/1", 109)).toBe("effect_held");
      expect(await take("a/3", 20)).toBe("ours");
      expect(await take("b/1", 120)).toBe("ours");
      expect(await take("b/1", 120, "done")).toBe("effect_held");
    });

    test("that cannot be written fail individually, with an error", async () => {
      await credit(100);
      const settle: Movement = { type: "settle", step: "a", credits: 10 };
      await store.commit(moving("1", { type: "reserve", credits: 50 }, settle));
      const answers = await Promise.all([
        settled(store.commit(transitionOf(audited("a")))),
        settled(store.commit({ ...moving("1", settle), ...audited("b") })),
        settled(store.commit({ ...moving("1", { type: "release", step: null, credits: 41 }), ...audited("c") })),
        settled(store.commit(transitionOf(audited("d")))),
      ]);
      expect(answers).toEqual([
        "done",
        expect.stringContaining("UNIQUE constraint failed"),
        expect.stringContaining("not covered by a reservation"),
        "done",
      ]);
      expect(await subjects()).toEqual(["a", "d"]);
      expect(await balance()).toEqual({ available: 50, reserved: 40 });
    });

    test("see what another process and a transaction between them wrote", async () => {
      await store.commit(transitionOf(audited("a")));
      const other = openStore(store.file);
      await other.commit(transitionOf(audited("b")));
      await other.close();
      await store.commit(transitionOf(audited("c")));
      await credit(5);
      expect((await store.commit(moving("1", { type: "reserve", credits: 6 }))).refused).toBe("insufficient_credits");
      await credit(5);
      expect((await store.commit(moving("1", { type: "reserve", credits: 6 }))).refused).toBeUndefined();
      expect(await subjects()).toEqual(["a", "b", "c"]);
    });

    test("resolve once they can be read, and not before", async () => {
      const reader = new Database(store.file, { readonly: true });
      const entries = () => reader.query<{ n: number }, []>("select count(*) as n from audit").get()?.n;
      const answers: (number | undefined)[] = [];
      const committing = store.commit(transitionOf(audited("a"))).then(() => answers.push(entries()));
      answers.push(entries());
      await committing;
      reader.close();
      expect(answers).toEqual([0, 1]);
    });
  });

  describe("transactions", () => {
    test("that fail are rolled back without affecting others", async () => {
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

    test("each see earlier ones' writes and get their own result, while readers see committed rows only", async () => {
      let readers: string[] = ["unread"];
      const first = store.write((tx) => open(tx, "a"));
      const second = store.write(async (tx) => {
        await open(tx, "b");
        readers = await names();
        return names(tx);
      });
      expect(await second).toEqual(["a", "b"]);
      expect(readers).toEqual(["a"]);
      await first;
    });

    test("started during another one are executed too", async () => {
      const { promise: inner, resolve } = Promise.withResolvers<unknown>();
      await store.write(async (tx) => {
        await open(tx, "a");
        resolve(store.write((later) => open(later, "b")));
      });
      await inner;
      expect(await names()).toEqual(["a", "b"]);
    });

    test("whose commit fails keep nothing, and later writes succeed", async () => {
      // The commit fails on a dangling deferred foreign key, after every statement succeeded.
      const dangling = store.write(async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx);
        await tx.insertInto("entitlements").values({ firm_id: "nobody", name: "x", granted_at: 0 }).execute();
      });
      expect(await settled(dangling)).toContain("FOREIGN KEY constraint failed");
      await store.write((tx) => open(tx, "c"));
      expect(await names()).toEqual(["c"]);
    });
  });

  test("the reading connection cannot write", async () => {
    await expect(open(store.read, "a")).rejects.toThrow("readonly");
  });

  test("a full disk is reported to the write that hits it, and writes succeed once there is space", async () => {
    const limit = (pages: number) =>
      store.write((tx) => sql`pragma max_page_count = ${sql.raw(`${pages}`)}`.execute(tx));
    await limit(1);
    expect(await codeOf(store.write((tx) => open(tx, "x".repeat(1_000_000))))).toBe("SQLITE_FULL");
    expect(await codeOf(store.commit(transitionOf(audited("x".repeat(1_000_000)))))).toBe("SQLITE_FULL");
    expect(store.failure()).toBeUndefined();
    await limit(1_000_000);
    await store.write((tx) => open(tx, "b"));
    await store.commit(transitionOf(audited("b")));
    expect([await names(), await subjects()]).toEqual([["b"], ["b"]]);
  });

  test("closing waits for pending writes", async () => {
    const writes = Array.from({ length: 600 }, (_, i) => store.commit(transitionOf(audited(`${i}`))));
    await store.close();
    await Promise.all(writes);
    store = openWith(store.file);
    expect(await subjects()).toHaveLength(600);
  });

  test("the WAL is checkpointed when long, so that it is reset", async () => {
    const pages = "x".repeat(1_000_000);
    for (let i = 0; i < 40; i++) await store.commit(transitionOf(audited(`${i} ${pages}`)));
    expect(statSync(`${store.file}-wal`).size).toBeLessThan(24_000_000);
    expect(statSync(store.file).size).toBeGreaterThan(30_000_000);
  });
});
