import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { commandLine } from "../support/under-test.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const errorIn = ({ out }: { readonly out: string }) => (JSON.parse(out) as { error: unknown }).error;

describe("an invalid argument", () => {
  test.each([
    ["an invalid number", ["runs", "list", "--limit", "abc"]],
    ["a number out of range", ["runs", "list", "--limit", "0"]],
    ["an unknown status", ["runs", "list", "--status", "cancelled"]],
    ["a filter for another list", ["capabilities", "list", "--status", "beta"]],
    ["an invalid date", ["runs", "list", "--from", "yesterday"]],
    ["an unknown cursor", ["runs", "list", "--cursor", "x"]],
    ["an invalid id", ["runs", "get", "zzz"]],
    ["an unknown mode", ["run", "priced", "--set", "text=abc", "--mode", "foo"]],
    ["a short key", ["run", "priced", "--set", "text=abc", "--idempotency-key", "short"]],
    ["an invalid input", ["run", "priced", "--set", "text=a"]],
    ["an invalid address to analyse", ["analyze", "nowhere"]],
  ])("is exit 2, whether the program or the API refuses it: %s", async (_, args) => {
    const { code, err } = await world.assay(args);
    expect([code, err]).toEqual([2, expect.stringContaining("assay: ")]);
  });

  test("is distinguished from a missing or forbidden object", async () => {
    expect((await world.assay(["runs", "get", crypto.randomUUID()])).code).toBe(1);
    expect((await world.assay(["run", "nil", "--set", "text=abc"])).code).toBe(1);
    expect((await world.assay(["runs", "list"], { env: { ASSAY_API_KEY: "wrong" } })).code).toBe(3);
  });
});

describe("with --json a usage error is on stdout too", () => {
  test.each([
    ["an argument is missing", ["runs", "get", "--json"], "missing required argument 'id'"],
    ["an option is unknown", ["runs", "list", "--nope", "--json"], "unknown option '--nope'"],
    ["a command is unknown", ["nope", "--json"], "unknown command 'nope'"],
    ["an option has no value", ["runs", "list", "--json", "--limit"], "option '--limit <count>' argument missing"],
    ["a required option is missing", ["check", "--json"], "required option '--question <text>' not specified"],
    [
      "an operator's option is invalid",
      ["datasets", "rollback", "eu-data", "--to", "x", "--json"],
      "must be a whole number",
    ],
  ])("%s", async (_, args, message) => {
    const told = await world.assay(args);
    expect(told.code).toBe(2);
    expect(errorIn(told)).toEqual({ code: "usage", message: expect.stringContaining(message) });
    expect(told.err).toStartWith("assay: ");
  });

  test("for a setting", async () => {
    const told = await world.assay(["doctor", "--json"], { env: { ASSAY_NOPE: "1" } });
    expect([told.code, errorIn(told)]).toEqual([2, expect.objectContaining({ code: "usage" })]);
  });

  test("but stdout has no error without it, with --jq, or for help", async () => {
    for (const args of [
      ["runs", "get"],
      ["runs", "get", "--jq", ".id"],
      ["runs", "list", "--", "--json"],
    ])
      expect([args, (await world.assay(args)).out]).toEqual([args, ""]);
    const help = await world.assay(["runs", "get", "--json", "--help"]);
    expect([help.code, help.out]).toEqual([0, expect.stringContaining("Usage: assay runs get")]);
  });
});

describe("--set", () => {
  const run = (...set: readonly string[]) =>
    world.assay(["run", "priced", ...set.flatMap((one) => ["--set", one]), "--json"]);

  test("adds to a list when repeated, item by item or as JSON", async () => {
    const { code } = await run("text=abc", "countries=CZ", 'countries=["SK","DE"]', "countries=AT");
    expect(code).toBe(0);
  });

  test.each([
    ["a text", "text", ["text=abc", "text=def"]],
    ["a number", "size", ["text=abc", "size=1", "size=2"]],
    ["a list that is not JSON", "countries", ["text=abc", "countries=[CZ", "countries=SK"]],
  ])("is refused when repeated for a single value, before anything is sent: %s", async (_, key, set) => {
    const { code, err } = await run(...set);
    expect([code, err]).toEqual([2, `assay: --set ${key} is given twice but takes one value.\n`]);
  });

  test("overrides a file's value when given once", async () => {
    writeFileSync(world.file("input.json"), '{"text":"a"}');
    expect(
      (await world.assay(["run", "priced", "--input-file", world.file("input.json"), "--set", "text=abc"])).code,
    ).toBe(0);
  });
});

describe("a file to send", () => {
  const czech = '{"text":"krádež"}';
  const latin = Uint8Array.from([...czech].map((sign) => sign.charCodeAt(0) & 0xff));
  const wide = Uint8Array.from([
    0xff,
    0xfe,
    ...[...czech].flatMap((sign) => [sign.charCodeAt(0) & 0xff, sign.charCodeAt(0) >> 8]),
  ]);
  const marked = new TextEncoder().encode(`\ufeff${czech}`);
  const run = ["run", "priced", "--wait", "--jq", ".status"];

  test.each([
    ["UTF-8", new TextEncoder().encode(czech)],
    ["UTF-8 with a byte-order mark", marked],
    ["UTF-16 with a byte-order mark, as written by Windows", wide],
  ])("is decoded from %s, from a file and from stdin", async (_, bytes) => {
    writeFileSync(world.file("in.json"), bytes);
    expect((await world.assay([...run, "--input-file", world.file("in.json")])).out).toBe("succeeded\n");
    expect((await world.assay([...run, "-"], { stdin: bytes })).out).toBe("succeeded\n");
  });

  test("is refused in another encoding, and no character is replaced", async () => {
    writeFileSync(world.file("latin.json"), latin);
    for (const args of [
      ["run", "priced", "--input-file", world.file("latin.json")],
      ["check", "--question", "Co kryje?", "--answer", world.file("latin.json")],
      ["receipt", "verify", world.file("latin.json")],
    ]) {
      const { code, out, err } = await world.assay(args);
      expect([code, out, err]).toEqual([2, "", expect.stringContaining("latin.json is not UTF-8 text")]);
      expect(err).toContain("iconv");
    }
    const piped = await world.assay(["quote", "decided", "-"], { stdin: latin });
    expect([piped.code, piped.err]).toEqual([2, expect.stringContaining("stdin is not UTF-8 text")]);
  });
});

test.skipIf(process.platform !== "linux")("if stdout can't be written, the reason is on stderr", async () => {
  for (const args of [
    ["capabilities", "list", "--json"],
    ["help", "exit-codes"],
  ]) {
    const child = Bun.spawn(["sh", "-c", `"$0" "$@" > /dev/full`, ...commandLine(args)], {
      env: { PATH: process.env.PATH ?? "", ASSAY_BASE_URL: world.baseUrl },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await child.stderr.text()).toContain("assay: stdout can't be written: ENOSPC");
    expect(await child.exited).toBe(1);
  }
});
