import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { damageOf } from "../../db/sqlite/backup.ts";
import { browserAt } from "../support/browser-at.ts";
import { until } from "../support/harness.ts";
import { assay, Installation } from "../support/operator.ts";

const installation = new Installation();
const initialised = await installation.init();
afterAll(() => installation[Symbol.asyncDispose]());

interface Check {
  readonly about: string;
}
interface Backups {
  readonly items: readonly { file: string; bytes: number; sha256: string | null }[];
  readonly last: { status: string; error: string | null } | null;
}

test("an owner created by init sees doctor's health checks, and backs up while the server runs", async () => {
  const server = await installation.serve();
  const browser = await browserAt(server.url, initialised.owner.email, initialised.password_link);
  const ask = (path: string, method = "GET") => browser.ask(path, { method });
  const health = (await (await ask("/v1/operator/health")).json()) as { ok: boolean; checks: Check[] };
  const printed = await installation.json<{ checks: Check[] }>("doctor");
  const plain = (checks: readonly Check[]) => checks.map((check) => ({ advice: null, ...check }));
  // Each knows the server's address from its own flags.
  const same = (checks: readonly Check[]) =>
    plain(checks).filter(({ about }) => !["public address", "disk space"].includes(about));
  expect(same(health.checks)).toEqual(same(printed.checks));
  expect(health.ok).toBe(true);

  const backups = async () => (await (await ask("/v1/operator/backups")).json()) as Backups;
  /** Requests two backups at once, and returns their files. */
  const twice = () =>
    Promise.all(
      [1, 2].map(async () => {
        const answer = await ask("/v1/operator/backups", "POST");
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([202, "1"]);
        return ((await answer.json()) as { file: string }).file;
      }),
    );
  const made = new Set<string>();
  // On a busy machine the first may be finished before the second is requested.
  await until(async () => {
    const files = await twice();
    await until(async () => (await backups()).last?.status !== "running", "the backup's end");
    for (const file of files) made.add(file);
    return files[0] === files[1];
  }, "two at once are one backup");
  const { items, last } = await backups();
  expect(last).toMatchObject({ status: "succeeded", error: null });
  expect(items.map(({ file }) => file).sort()).toEqual([...made].sort());
  for (const { file, sha256 } of items) {
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(damageOf(join(installation.data, "backups", file))).toEqual([]);
  }
  expect(await server.end()).toBe(0);

  const restored = join(installation.folder, "restored");
  const backup = join(installation.data, "backups", items[0]?.file ?? "");
  const { code } = await assay(["restore", backup, "--data", restored]);
  expect([code, existsSync(join(restored, "assay.db"))]).toEqual([0, true]);
});

test("the terminal grants and withdraws the flag", async () => {
  await installation.json("admin", "users", "create", "--email", "second@acme.test");
  const grant = (verb: string) => installation.json<object>("admin", "users", "operator", "second@acme.test", verb);
  expect(await grant("grant")).toMatchObject({ operator: true, changed: true });
  expect(await grant("grant")).toMatchObject({ operator: true, changed: false });
  expect(await grant("withdraw")).toMatchObject({ operator: false, changed: true });
  const log = await installation.json<{ action: string }[]>("admin", "audit", "list", "--limit", "2");
  expect(log.map(({ action }) => action)).toEqual(["operator.withdrawn", "operator.granted"]);
});

test("the audit log is listed page by page, with the next cursor", async () => {
  type Entry = { readonly seq: number };
  const list = (...args: string[]) => installation.run("admin", "audit", "list", "--json", ...args);
  const all = JSON.parse((await list()).out) as Entry[];
  const first = await list("--limit", "2");
  const [, newer] = all;
  expect([JSON.parse(first.out), first.err]).toEqual([all.slice(0, 2), `There are more: --before ${newer?.seq}\n`]);
  const rest = await list("--before", String(newer?.seq));
  expect([JSON.parse(rest.out), rest.err]).toEqual([all.slice(2), ""]);
  expect((await list("--limit", String(all.length))).err).toBe("");
  expect((await list("--before", "soon")).code).toBe(2);
});
