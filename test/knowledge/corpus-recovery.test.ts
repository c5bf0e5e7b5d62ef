import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/harness.ts";
import { Installation } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

setDefaultTimeout(600_000);

const paragraphs = 6_000;
const big = Array.from(
  { length: paragraphs },
  (_, i) =>
    `## Článek ${i + 1} Ujednání\n\nPojištění číslo ${i + 1} se vztahuje na škody, které vznikly požárem nebo vodou.`,
).join("\n\n");
const document = (title: string, body: string): string =>
  `---\ntitle: ${title}\nmarket: CZ\ncarrier: Modrá\nproduct_line: car\ndocument_type: terms\nprovenance: carrier\n---\n\n${body}\n`;

/** Reads the database while another process writes to it. */
class Watcher implements Disposable {
  private readonly database: Database;
  constructor(file: string) {
    this.database = new Database(file, { readonly: true });
    this.database.run("pragma busy_timeout = 5000");
  }
  all<T>(sql: string): T[] {
    return this.database.query<T, []>(sql).all();
  }
  count(sql: string): number {
    return this.all<{ n: number }>(`select count(*) as n from ${sql}`)[0]?.n ?? 0;
  }
  [Symbol.dispose](): void {
    this.database.close();
  }
}

/** Checks that live documents are complete, with as many passages as their rows state, without a gap. */
function expectWhole(watch: Watcher): void {
  const live = watch.all<{ chunks: number; held: number; last: number }>(
    `select d.chunks, count(c.id) as held, max(c.ordinal) + 1 as last
     from documents d join chunks c on c.document_id = d.id where d.state = 'live' group by d.id`,
  );
  for (const { chunks, held, last } of live) expect([held, last]).toEqual([chunks, chunks]);
}

test("an import killed at any moment shows no partial document, and repeating it completes the import", async () => {
  await using it = new Installation();
  await it.init();
  const folder = join(it.folder, "documents");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), document("A", "Pojištění se vztahuje na škody, které vznikly požárem."));
  writeFileSync(join(folder, "b.md"), document("B", big));
  writeFileSync(join(folder, "c.md"), document("C", "Pojištění se nevztahuje na škody, které vznikly povodní."));
  using watch = new Watcher(it.database);

  // Killed after part of the large document's passages was written, twice.
  for (const written of [1, 1_000]) {
    const child = Bun.spawn(commandLine(["import", "insurance", folder, "--data", it.data]), {
      stdio: ["ignore", "ignore", "ignore"],
    });
    const reached = () =>
      watch.count("chunks c join documents d on d.id = c.document_id where d.state = 'indexing' and d.title = 'B'") >=
      written;
    await until(() => reached() || child.exitCode !== null, "the large document is half written");
    child.kill("SIGKILL");
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(watch.count("documents where state = 'live'")).toBe(1);
    expectWhole(watch);
  }

  const doctor = await it.run("doctor");
  expect(doctor.out).toContain("1 live, 0 refused, 1 unfinished");
  const { code, out } = await it.run("import", "insurance", folder);
  expect([code, out.split(";")[0]]).toEqual([0, "2 imported, 0 replaced, 1 unchanged, 0 refused"]);
  expect(watch.all("select title, state from documents order by title")).toEqual([
    { title: "A", state: "live" },
    { title: "B", state: "live" },
    { title: "C", state: "live" },
  ]);
  expectWhole(watch);
  expect(watch.count("chunks")).toBeGreaterThanOrEqual(paragraphs);
  expect((await it.run("verify")).code).toBe(0);
});

test("an import stopped by Ctrl-C reports its progress so far", async () => {
  await using it = new Installation();
  await it.init();
  const folder = join(it.folder, "documents");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), document("A", "Pojištění se vztahuje na škody, které vznikly požárem."));
  writeFileSync(join(folder, "b.md"), document("B", big));
  writeFileSync(join(folder, "c.md"), document("C", "Pojištění se nevztahuje na škody, které vznikly povodní."));
  using watch = new Watcher(it.database);
  const child = Bun.spawn(commandLine(["import", "insurance", folder, "--json", "--data", it.data]), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  await until(() => watch.count("documents where state = 'live'") > 0 || child.exitCode !== null, "the first is there");
  child.kill("SIGINT");
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const { interrupted, files, imported, documents } = JSON.parse(out);
  const live = watch.count("documents where state = 'live'");
  expect({ code, interrupted, files, imported, told: documents.length }).toEqual({
    ...{ code: 130, interrupted: true, files: live, imported: live, told: live },
  });
  expect(live).toBeLessThan(3);
  expect(err).toContain(`Stopped: ${3 - live} of 3 files were not read.`);
  expectWhole(watch);
  expect((await it.run("import", "insurance", folder)).code).toBe(0);
  expect(watch.count("documents where state = 'live'")).toBe(3);
});

test("a second import into the same installation is told to wait", async () => {
  await using it = new Installation();
  await it.init();
  const file = join(it.folder, "b.md");
  writeFileSync(file, document("B", big));
  using watch = new Watcher(it.database);
  const first = Bun.spawn(commandLine(["import", "insurance", file, "--data", it.data]), {
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until(() => watch.count("documents") > 0 || first.exitCode !== null, "the first has begun");
  first.kill("SIGSTOP");
  const { code, err } = await it.run("import", "insurance", "--starter");
  expect([code, err]).toEqual([1, expect.stringContaining("another import is running")]);
  first.kill("SIGCONT");
  expect(await first.exited).toBe(0);
  expect(watch.count("documents where state = 'live'")).toBe(1);
});
