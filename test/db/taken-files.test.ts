import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, openThreadedStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createFirm } from "../../src/accounts/admin/firms.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

const audit = { actor: "operator", at: 1, runtime: systemRuntime };
const addFirms = (store: Store, from: number, upto: number) =>
  store.write(async (tx) => {
    for (let i = from; i < upto; i++) await createFirm(tx, audit, { name: `Firm ${i} ${"x".repeat(70)}` });
  });
const names = async (store: Store): Promise<string[]> =>
  (await unscoped(store.read).selectFrom("firms").select("name").orderBy("id").execute()).map(({ name }) => name);

test("a store whose WAL was deleted still reads what it acknowledged, whatever others write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-taken-"));
  const file = join(folder, "assay.db");
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  const store = openThreadedStore(file, { runtime: systemRuntime, onFailure: resolve });
  await migrate(store);
  await addFirms(store, 0, 400);
  const acknowledged = await names(store);
  expect(acknowledged).toHaveLength(400);
  rmSync(`${file}-wal`);
  expect((await failed).message).toContain("every acknowledged write is in the database file");
  await expect(addFirms(store, 0, 1)).rejects.toThrow("was deleted or replaced");

  const other = openStore(file);
  expect(await names(other)).toEqual(acknowledged);
  for (let i = 400; i < 800; i += 100) await addFirms(other, i, i + 100);
  expect(await names(store)).toEqual(acknowledged);
  expect(await names(other)).toHaveLength(800);
  await other.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
