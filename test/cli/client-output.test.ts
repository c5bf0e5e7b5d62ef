import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWorld, type World } from "../support/client-cli-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe("piped output", () => {
  test("is tab-separated, one row per line below its titles, and never wrapped, whatever COLUMNS is", async () => {
    for (const COLUMNS of ["20", "200"]) {
      const { out } = await world.assay(["use-cases", "list"], { env: { COLUMNS } });
      const [titles = "", ...rows] = out.trimEnd().split("\n");
      expect(titles.split("\t")).toEqual(["use case", "status", "credits", "runnable", "outcome"]);
      expect(rows.map((row) => row.split("\t").length)).toEqual(rows.map(() => 5));
      expect(rows.map((row) => row.split("\t")[0])).toEqual(["decided", "staged", "itemized"]);
    }
    const { out } = await world.assay(["capabilities", "show", "priced"], { env: { COLUMNS: "20" } });
    expect(out).toContain("A run of one step that does nothing, to measure what a durable run costs.\n");
    expect(out).toContain("slug\tpriced\n");
  });

  test("is still wrapped for help, to COLUMNS if set", async () => {
    for (const [COLUMNS, most] of [
      ["60", 60],
      ["", 80],
      ["a lot", 80],
    ] as const) {
      const { out } = await world.assay(["help"], { env: { COLUMNS } });
      expect([COLUMNS, Math.max(...out.split("\n").map((line) => line.length)) <= most]).toEqual([COLUMNS, true]);
    }
  });
});

describe("--jq", () => {
  test("filters the output of --json, printing strings without quotes and one result per line", async () => {
    const { code, out } = await world.assay(["use-cases", "list", "--jq", ".items[] | .slug"]);
    expect([code, out]).toEqual([0, "decided\nstaged\nitemized\n"]);
    const tabs = await world.assay(["use-cases", "list", "--jq", ".items[] | [.slug, .maximum_credits] | @tsv"]);
    expect(tabs.out).toBe("decided\t500\nstaged\t1500\nitemized\t500\n");
    const object = await world.assay(["use-cases", "show", "decided", "--jq", "{slug, n: (.steps | length)}"]);
    expect(object.out).toBe('{"slug":"decided","n":1}\n');
  });

  test("works for the operator's commands too, and is available with every --json", async () => {
    expect((await world.assay(["version", "--jq", ".version | type"])).out).toBe("string\n");
    for (const args of [["runs", "list"], ["doctor"], ["profile", "list"]])
      expect((await world.assay([...args, "--help"])).out).toContain("--jq <expression>");
  });

  test("reports an invalid expression, and one that does not match", async () => {
    const bad = await world.assay(["use-cases", "list", "--jq", ".items["]);
    expect([bad.code, bad.out, bad.err]).toEqual([2, "", expect.stringMatching(/^assay: --jq: .*syntax error/)]);
    const unfit = await world.assay(["use-cases", "list", "--jq", ".items.slug"]);
    expect([unfit.code, unfit.out, unfit.err]).toEqual([1, "", expect.stringContaining("Cannot index array")]);
    expect((await world.assay(["use-cases", "list", "--jq", " "])).code).toBe(2);
    const later = await world.assay([
      "use-cases",
      "list",
      "--jq",
      '.items[].slug | if . == "staged" then error("no") else . end',
    ]);
    expect([later.code, later.out, later.err]).toEqual([1, "", expect.stringContaining("no")]);
  });

  test("prints an error of the API on stderr, because scripts read the filter's result from stdout", async () => {
    const { code, out, err } = await world.assay(["use-cases", "show", "nothing", "--jq", ".slug"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("There is no use case");
  });
});

describe("an error under --json", () => {
  const errorIn = (out: string) => JSON.parse(out).error as { code: string; message: string };

  test("is the API's own body on stdout, with text for people on stderr", async () => {
    const { code, out, err } = await world.assay(["credits", "--json"], { env: { ASSAY_API_KEY: "assay_sk_wrong" } });
    expect([code, errorIn(out).code]).toEqual([3, "invalid_api_key"]);
    expect(err).toStartWith("assay: ");
    const missing = await world.assay(["runs", "get", crypto.randomUUID(), "--json"]);
    expect([missing.code, errorIn(missing.out).code]).toEqual([1, "not_found"]);
    const invalid = await world.assay(["run", "priced", "--set", "text=a", "--json"]);
    expect(JSON.parse(invalid.out).error).toMatchObject({ details: [{ path: "/body/input/text" }] });
  });

  test("has the same format if the API was not reached", async () => {
    const down = await world.assay(["credits", "--json", "--base-url", "http://127.0.0.1:1"]);
    expect([down.code, errorIn(down.out).code]).toEqual([1, "failed"]);
    expect(errorIn(down.out).message).toContain("No server answers");
    const usage = await world.assay(["run", "priced", "--json", "--set", "nothing"]);
    expect([usage.code, errorIn(usage.out).code]).toEqual([2, "usage"]);
  });

  test("is not repeated: a failed run is printed once, as its record", async () => {
    const { code, out } = await world.assay(["run", "failing", "--set", "text=abc", "--wait", "--json"]);
    expect([code, JSON.parse(out).status]).toEqual([1, "failed"]);
  });
});

describe("an unresponsive server", () => {
  test("is reported after two seconds, while waiting for the response", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    await using slow = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      async fetch() {
        asked.resolve();
        await answer.promise;
        return Response.json({ balance: { available: 1, reserved: 0 }, entries: { items: [], next_cursor: null } });
      },
    });
    const child = world.start(["credits", "--json", "--base-url", `http://127.0.0.1:${slow.port}`]);
    await asked.promise;
    const begun = performance.now();
    const decoder = new TextDecoder();
    let err = "";
    for await (const bytes of child.stderr) {
      err += decoder.decode(bytes, { stream: true });
      if (err.includes("waiting for")) answer.resolve();
    }
    expect(err).toContain(`waiting for http://127.0.0.1:${slow.port}, 60 s at most; Ctrl-C stops`);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(await child.exited).toBe(0);
  });
});

describe("uniform messages", () => {
  test("start every error in the same way, whatever its source", async () => {
    for (const [args, code] of [
      [["bogus"], 2],
      [["runs", "list", "--bogus"], 2],
      [["run"], 2],
      [["completion", "tcsh"], 2],
      [["use-cases", "show", "nothing"], 1],
      [["credits", "--base-url", "ftp://x"], 2],
      [["serve", "--port", "x"], 2],
    ] as const) {
      const told = await world.assay(args);
      expect([args.join(" "), told.code, told.err.startsWith("assay: ")]).toEqual([args.join(" "), code, true]);
    }
  });

  test("include help topics for exit codes and variables", async () => {
    const { out } = await world.assay(["help", "exit-codes"]);
    for (const line of [/^ {2}0 +success$/m, /^ {2}2 +usage/m, /^ {2}3 +auth/m, /^ {2}4 +quota/m, /^ {2}130 /m])
      expect(out).toMatch(line);
    const { out: variables } = await world.assay(["help", "environment"]);
    for (const name of ["ASSAY_API_KEY", "ASSAY_PROFILE", "COLUMNS", "NO_COLOR", "XDG_CONFIG_HOME", "log_level"])
      expect(variables).toContain(name);
    expect((await world.assay(["help"])).out).toContain("help exit-codes");
    for (const words of [["runs"], ["runs", "list"], ["admin", "users"], ["admin", "users", "remove"]])
      expect((await world.assay(["help", ...words])).out).toStartWith(`Usage: assay ${words.join(" ")} `);
    const nowhere = await world.assay(["help", "admin", "user"]);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("Did you mean users?")]);
    expect((await world.assay(["help", "runs"])).out).toContain("watch");
  });

  test("suggest similar slugs for an unknown one", async () => {
    const { code, err } = await world.assay(["capabilities", "show", "price"]);
    expect([code, err]).toEqual([1, expect.stringContaining("Did you mean priced?")]);
    expect((await world.assay(["run", "stagd"])).err).toContain("Did you mean staged?");
  });
});
