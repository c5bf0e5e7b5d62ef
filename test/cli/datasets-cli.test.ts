import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/harness.ts";
import { Installation, runToEnd } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

const said =
  "publisher: Eurostat\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\nindicator: {fixed: population}\n";

/** Writes a CSV and its mapping next to it. */
function put(here: Installation, name: string, rows: readonly string[]): string {
  const file = join(here.folder, name);
  writeFileSync(file, `geo;year;v\n${rows.join("\n")}\n`);
  writeFileSync(`${file}.mapping.yaml`, said);
  return file;
}

/** Returns that many distinct rows. */
const many = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `DE${String(10 + (i % 80))};${1000 + (Math.floor(i / 80) % 9000)}-Q${1 + (Math.floor(i / 720_000) % 4)};${i}`,
  );

const tablesIn = (here: Installation): string[] =>
  existsSync(join(here.data, "datasets")) ? readdirSync(join(here.data, "datasets")) : [];

interface Listed {
  readonly dataset: string;
  readonly version: number;
  readonly serves: boolean;
}

const serving = async (here: Installation): Promise<number | undefined> =>
  (await here.json<Listed[]>("datasets", "list")).find(({ dataset, serves }) => dataset === "eu-data" && serves)
    ?.version;

test("a dataset is imported, shown, compared and rolled back on the command line", async () => {
  await using here = new Installation();
  await here.init();
  const file = put(here, "people.csv", ["DE;2020;1", "AT;2020;2"]);
  const dry = await here.run("import", "eu-data", file, "--dry-run");
  expect([dry.code, dry.out.includes("2 figures imported, 0 of 2 rows refused"), await serving(here)]).toEqual([
    0,
    true,
    0,
  ]);
  expect((await here.run("import", "eu-data", file)).out).toContain("version 1 is now current");
  put(here, "people.csv", ["DE;2020;5"]);
  await here.run("import", "eu-data", file);
  const shown = await here.run("datasets", "show", "eu-data");
  expect([shown.out.includes("eu-data, version 2"), shown.out.includes("Eurostat")]).toEqual([true, true]);
  const diff = await here.run("datasets", "diff", "eu-data", "1", "2");
  expect(diff.out).toContain("0 figures added, 1 removed, 1 changed");
  expect((await here.run("datasets", "rollback", "eu-data")).out).toContain(
    "version 3 is now current, with the data of version 1",
  );
  expect(await serving(here)).toBe(3);
  expect((await here.run("doctor")).out).toContain("eu-data: version 3, 1 table,");
});

test("a folder is imported recursively as one version, and of two tables with one name neither is", async () => {
  await using here = new Installation();
  await here.init();
  for (const folder of ["tables", "tables/2024", "tables/2024/later", "tables/.hidden"])
    mkdirSync(join(here.folder, folder));
  put(here, "tables/a.csv", ["DE;2020;1"]);
  put(here, "tables/2024/b.csv", ["DE;2024;1"]);
  put(here, "tables/2024/later/c.csv", ["DE;2025;1"]);
  put(here, "tables/.hidden/d.csv", ["DE;2026;1"]);
  const folder = join(here.folder, "tables");
  const { files } = await here.json<{ files: { file: string }[] }>("import", "eu-data", folder);
  expect(files.map(({ file }) => file.slice(folder.length + 1))).toEqual(["2024/b.csv", "2024/later/c.csv", "a.csv"]);
  put(here, "tables/2024/a.csv", ["DE;2024;2"]);
  const { code, err } = await here.run("import", "eu-data", folder);
  expect([code, err]).toEqual([1, expect.stringContaining("Give one of them another `name` in its mapping")]);
  for (const target of [here.folder, join(here.folder, "nowhere")]) {
    rmSync(join(folder, "link"), { force: true });
    symlinkSync(target, join(folder, "link"));
    const linked = await here.run("import", "eu-data", folder);
    expect([linked.code, linked.err]).toEqual([1, expect.stringContaining("link is neither a file nor a folder")]);
  }
  expect(await serving(here)).toBe(1);
});

test("refused rows are on stderr and complete in a report, and the command exits with 1", async () => {
  await using here = new Installation();
  await here.init();
  const file = put(here, "people.csv", [...Array.from({ length: 30 }, (_, i) => `DE;${1990 + i};1`), "QQ;2020;1"]);
  const report = join(here.folder, "report.jsonl");
  const { code, err } = await here.run("import", "eu-data", file, "--report", report);
  expect([code, err.includes("line 32, geo: refused (unknown_country)")]).toEqual([1, true]);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ line: 32, column: "geo", code: "unknown_country" });
  expect(await serving(here)).toBe(1);
});

test("a report that can't be written stops the import before anything is published", async () => {
  await using here = new Installation();
  await here.init();
  const file = put(here, "people.csv", ["DE;2020;1", "QQ;2020;1"]);
  const folder = join(here.folder, "taken");
  mkdirSync(folder);
  for (const [report, words] of [
    [join(here.folder, "no", "dir.jsonl"), "no such file or directory"],
    [join(file, "r.jsonl"), "a part of its path is a file"],
    [folder, "EISDIR"],
    ["", "needs the name of a file"],
    [file, "would overwrite"],
    ["/proc/r.jsonl", "can't be written"],
  ] as const)
    for (const dry of [[], ["--dry-run"]]) {
      const { code, out, err } = await here.run("import", "eu-data", file, "--report", report, ...dry);
      expect([report, code, out, err]).toEqual([report, 2, "", expect.stringContaining(words)]);
    }
  expect(await serving(here)).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("QQ;2020;1");
}, 600_000);

test("a report that fails on the disk at the end says that the data were published", async () => {
  await using here = new Installation();
  await here.init();
  const file = put(here, "people.csv", [...Array.from({ length: 30 }, (_, i) => `DE;${1990 + i};1`), "QQ;2020;1"]);
  const { code, err } = await here.run("import", "eu-data", file, "--report", "/dev/full");
  expect([code, err]).toEqual([1, expect.stringContaining("The data were published: eu-data, version 1.")]);
  expect(await serving(here)).toBe(1);
}, 600_000);

test("accepted refusals exit with 0, in a dry run as in the import", async () => {
  await using here = new Installation();
  await here.init();
  const file = put(here, "people.csv", ["DE;2020;1", "QQ;2020;1"]);
  const code = async (...flags: string[]) => (await here.run("import", "eu-data", file, ...flags)).code;
  expect([await code("--dry-run"), await code()]).toEqual([1, 1]);
  expect([await code("--dry-run", "--accept-refused"), await code("--accept-refused")]).toEqual([0, 0]);
}, 600_000);

test("the caller's errors are distinguished, each with a hint", async () => {
  await using here = new Installation();
  await here.init();
  const bare = join(here.folder, "bare.csv");
  writeFileSync(bare, "a;b\n1;2\n");
  const cases: [string[], number, string][] = [
    [["import", "eu-data", join(here.folder, "none.csv")], 2, "no such file or directory"],
    [["import", "eu-data", bare], 1, "--mapping"],
    [["import", "eu-data", bare, "--mapping", join(here.folder, "no.yaml")], 2, "no such file or directory"],
    [["datasets", "show", "nothing"], 2, "there is no dataset"],
    [["datasets", "rollback", "eu-data", "--to", "7"], 2, "no version 7"],
    [["datasets", "rollback", "eu-data"], 2, "no version before the starter data"],
    [["datasets", "diff", "eu-data", "1", "2"], 2, "no version 1"],
  ];
  for (const [args, code, words] of cases) {
    const ended = await here.run(...args);
    expect([args.join(" "), ended.code, ended.err.includes(words)]).toEqual([args.join(" "), code, true]);
  }
}, 600_000);

test("a killed import leaves the old version serving, and can be repeated, with its progress", async () => {
  await using here = new Installation();
  await here.init();
  await here.run("import", "eu-data", put(here, "people.csv", ["DE;2020;1"]));
  const file = put(here, "people.csv", many(300_000));
  const child = Bun.spawn(commandLine(["import", "eu-data", file, "--data", here.data]), {
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until(() => tablesIn(here).some((name) => name.endsWith(".draft")), "a draft");
  child.kill("SIGKILL");
  await child.exited;
  expect([await serving(here), (await here.run("datasets", "show", "eu-data")).out.includes("version 1")]).toEqual([
    1,
    true,
  ]);
  const { out, err } = await here.run("import", "eu-data", file);
  expect(out).toContain("300000 figures imported");
  expect(err).toMatch(/people\.csv: [\d,]+ rows read/);
  expect([await serving(here), tablesIn(here).filter((name) => name.endsWith(".draft"))]).toEqual([2, []]);
}, 600_000);

test("a disk that fills up midway leaves the old version serving, and nothing of the new one", async () => {
  await using here = new Installation();
  await here.init();
  await here.run("import", "eu-data", put(here, "people.csv", ["DE;2020;1"]));
  const file = put(here, "people.csv", many(300_000));
  // No file may exceed two megabytes: writes fail as on a full disk.
  const command = commandLine(["import", "eu-data", file, "--data", here.data])
    .map((word) => `'${word}'`)
    .join(" ");
  const { code, err } = await runToEnd(["bash", "-c", `trap '' XFSZ; ulimit -f 2048; exec ${command}`]);
  expect([code, /disk|full|I\/O/i.test(err)]).toEqual([1, true]);
  expect([await serving(here), tablesIn(here).length]).toEqual([1, 1]);
  expect((await here.run("import", "eu-data", file)).code).toBe(0);
}, 600_000);

test("a running server uses a version as soon as it is published", async () => {
  await using here = new Installation();
  await here.init();
  const server = await here.serve();
  const overview = async () => {
    const response = await fetch(`${server.url}/v1/public/eu-overview`);
    const body = (await response.json()) as {
      version: number;
      countries: { country: string; figures: { indicator: string; value: number }[] }[];
    };
    const germany = body.countries.find(({ country }) => country === "DE");
    return {
      etag: response.headers.get("etag"),
      version: body.version,
      people: germany?.figures.find(({ indicator }) => indicator === "population")?.value,
    };
  };
  const before = await overview();
  const folder = join(here.folder, "both");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "p.csv"),
    `geo;year;v\n${["AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE", "IT", "LV", "LT", "LU", "MT", "NL", "PL", "PT", "RO", "SK", "SI", "ES", "SE", "NO", "CH", "IS", "LI", "GB"].map((geo) => `${geo};2025;7`).join("\n")}\n`,
  );
  writeFileSync(join(folder, "p.csv.mapping.yaml"), said);
  expect((await here.run("import", "eu-data", folder)).code).toBe(0);
  const after = await overview();
  expect([before.version, after.version, after.people, before.etag === after.etag]).toEqual([0, 1, 7, false]);
  const again = await fetch(`${server.url}/v1/public/eu-overview`, { headers: { "if-none-match": after.etag ?? "" } });
  expect(again.status).toBe(304);
}, 600_000);

test("rows truncated by a copy are reported as damaged wherever missing ones are reported", async () => {
  await using here = new Installation();
  await here.init();
  await here.run("import", "eu-data", put(here, "people.csv", many(2_000)));
  const [table = ""] = tablesIn(here);
  const file = join(here.data, "datasets", table);
  const whole = readFileSync(file);
  const named = "the rows of eu-data: people (people.csv) are damaged";
  for (const spoilt of [whole.subarray(0, 20_000), new Uint8Array(), Buffer.alloc(20_000, 7)]) {
    writeFileSync(file, spoilt);
    const { code, out } = await here.run("doctor");
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("FAIL  eu-data: the rows of people (people.csv) are damaged"),
    ]);
    expect((await here.run("verify")).err).toContain(named);
  }
  writeFileSync(file, whole);
  expect((await here.run("doctor")).out).toContain("ok    eu-data: version 1, 1 table,");
}, 600_000);

test("a restore without the folder of rows says so at every step, and copying it repairs it", async () => {
  await using here = new Installation();
  await using there = new Installation();
  const { api_key } = await here.init("--credits", "1000", "--gates", "platform,eu-market-data");
  await here.run("import", "eu-data", put(here, "people.csv", ["DE;2020;1"]));
  const backup = join(here.folder, "b.db");
  await here.run("backup", backup);
  const named = "eu-data: people (people.csv)";

  const restored = await there.run("restore", backup);
  expect([restored.code, restored.err]).toEqual([0, expect.stringContaining(named)]);
  expect(restored.err).toContain(join(there.data, "datasets"));
  cpSync(join(here.data, "master.key"), join(there.data, "master.key"));
  const verified = await there.run("verify");
  // The database is complete: rows outside it are reported, and are no sign of damage.
  expect([verified.code, verified.err]).toEqual([0, expect.stringContaining(`the rows of ${named} are missing`)]);
  expect(await there.json("verify")).toMatchObject({ ok: true, warnings: [`the rows of ${named} are missing`] });
  expect((await there.run("doctor")).out).toContain("FAIL  eu-data: the rows of people (people.csv) are missing");

  const server = await there.serve();
  expect(server.log()).toMatch(/"level":"warn".*rows of imported datasets can't be read.*people\.csv/);
  const headers = { authorization: `Bearer ${api_key.secret}`, "content-type": "application/json" };
  const started = await fetch(`${server.url}/v1/capabilities/eu-market-data/runs`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": "missing-rows" },
    body: JSON.stringify({ input: { question: "How many people live in Germany?", countries: ["DE"] } }),
  });
  expect(started.status).toBe(202);
  const { id } = (await started.json()) as { id: string };
  const run = async () =>
    (await (await fetch(`${server.url}/v1/runs/${id}`, { headers })).json()) as {
      status: string;
      status_reason: { code: string } | null;
    };
  await until(async () => (await run()).status === "failed", "the run's end");
  expect((await run()).status_reason).toMatchObject({ code: "dataset_unavailable" });
  expect(server.log()).toMatch(/an engine failed.*rows of an imported table of eu-data can't be read: .*\.table/);
  expect(await (await fetch(`${server.url}/v1/public/eu-overview`)).json()).toMatchObject({
    error: { code: "dataset_unavailable" },
  });
  await server.end();

  cpSync(join(here.data, "datasets"), join(there.data, "datasets"), { recursive: true });
  expect((await there.run("verify")).err).not.toContain("are missing");
  expect(await there.json("verify")).toMatchObject({ ok: true, warnings: [] });
  const sound = await there.serve();
  expect(sound.log()).not.toContain("are missing");
  expect((await fetch(`${sound.url}/v1/public/eu-overview`)).status).toBe(200);
}, 600_000);
