import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openWorld, runOf, type World } from "../support/client-cli-world.ts";
import { until } from "../support/harness.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe("finding and inspecting", () => {
  test("with --json prints the API's body byte for byte, and nothing else on stdout", async () => {
    const { out, code } = await world.assay(["capabilities", "list", "--json"]);
    expect(code).toBe(0);
    expect(out).toBe(`${await (await fetch(`${world.baseUrl}/v1/capabilities`)).text()}\n`);
  });

  test("narrows the list by words and filters, and the server names a filter's invalid value", async () => {
    const { out } = await world.assay(["capabilities", "list", "does", "NOTHING"]);
    expect(out).toContain("priced");
    expect((await world.assay(["capabilities", "list", "nowhere"])).out).toBe("");
    expect((await world.assay(["use-cases", "list", "--max-price", "10"])).err).toContain("Nothing matches");
    const { code, err } = await world.assay(["capabilities", "list", "--pricing-model", "free"]);
    expect(code).toBe(2);
    expect(err).toContain("--pricing-model must be one of per_run");
  });

  test("shows a contract's price, input and limitations", async () => {
    const { out } = await world.assay(["capabilities", "show", "priced"]);
    expect(out).toContain("500 credits");
    expect(out).toMatch(/text\trequired\tstring, minLength 2/);
    expect(out).toContain("It does nothing.");
    expect((await world.assay(["use-cases", "show", "decided"])).out).toMatch(/only\t500\tneeded\tThe only step/);
  });

  test("names an unknown slug, with the command that lists the known ones", async () => {
    for (const args of [
      ["capabilities", "show", "nil"],
      ["run", "nil"],
      ["quote", "nil"],
    ]) {
      const { code, err } = await world.assay(args);
      expect(code).toBe(1);
      expect(err).toContain('"nil"');
      expect(err).toContain("list");
    }
  });
});

describe("quoting and running", () => {
  test("takes a quote's input from flags, a file or stdin, and reserves nothing", async () => {
    writeFileSync(world.file("input.json"), '{"text":"abc"}');
    const ways: [string[], string?][] = [
      [["--set", "text=abc"]],
      [["--input", '{"text":"abc"}']],
      [["--input-file", world.file("input.json")]],
      [["-"], '{"text":"abc"}'],
      [["--input-file", "-"], '{"text":"abc"}'],
    ];
    for (const [way, stdin] of ways) {
      const { out, code } = await world.assay(["quote", "decided", ...way], stdin === undefined ? {} : { stdin });
      expect(code).toBe(0);
      expect(out).toContain("at most 500 credits");
      expect(out).toMatch(/reserved\t0 credits/);
    }
  });

  test("converts --set to numbers and lists as the input schema requires", async () => {
    const set = ["--set", "text=12", "--set", "countries=CZ", "--set", "countries=SK", "--set", "size=7"];
    const run = runOf(await world.assay(["run", "priced", ...set, "--json"]));
    expect(run.input).toEqual({ text: "12", countries: ["CZ", "SK"], size: 7 });
    expect(run.surface).toBe("cli");
  });

  test("shows each path of an invalid input and what is expected there", async () => {
    const { code, err } = await world.assay([
      "run",
      "priced",
      "--set",
      "text=a",
      "--set",
      "size=big",
      "--set",
      "nil=1",
    ]);
    expect(code).toBe(2);
    expect(err).toContain("/body/input/text must have at least 2 characters");
    expect(err).toContain("/body/input/size must be of type integer");
    expect(err).toContain("/body/input/nil is not a property of this object");
  });

  test("does not send a whole number that would lose precision", async () => {
    const given = await world.assay(["run", "priced", "--input", '{"text":"abc","size":12345678901234567890}']);
    expect([given.code, given.err]).toEqual([2, expect.stringContaining("--input: /size must be a whole number that")]);
    const set = await world.assay(["run", "priced", "--set", "text=abc", "--set", "size=12345678901234567890"]);
    expect([set.code, set.err]).toEqual([2, expect.stringContaining("/body/input/size must be of type integer")]);
  });

  test("refuses an input that is not a JSON object as a usage error", async () => {
    for (const input of ["{", "[]", "7"]) expect((await world.assay(["run", "priced", "--input", input])).code).toBe(2);
    expect((await world.assay(["run", "priced", "--input", "{}", "--input-file", "x"])).code).toBe(2);
    expect((await world.assay(["run", "decided", "--set", "text=abc", "--mode", "live"])).code).toBe(2);
  });

  test("does not suggest a retry for a refused run", async () => {
    const { code, err } = await world.assay([
      "run",
      "priced",
      "--set",
      "text=abc",
      "--set",
      "size=12345678901234567890",
    ]);
    expect([code, err]).toEqual([2, expect.stringContaining("If no answer comes, retry with --idempotency-key")]);
  });

  test("finds a run again by the generated key", async () => {
    const first = await world.assay(["run", "priced", "--set", "text=again", "--json"]);
    const made = /--idempotency-key ([0-9a-f-]{36})/.exec(first.err)?.[1] ?? "";
    const again = await world.assay(["run", "priced", "--set", "text=again", "--json", "--idempotency-key", made]);
    expect(runOf(again).id).toBe(runOf(first).id);
    const other = await world.assay(["run", "priced", "--set", "text=other", "--idempotency-key", made]);
    expect(other.code).toBe(1);
    expect(other.err).toContain("idempotency_conflict");
  });

  test("with --wait ends with the result, with 1 and the reason for a failed run, and with 4 without credits", async () => {
    const good = await world.assay(["run", "priced", "--set", "text=abc", "--wait", "--json"]);
    expect(good.code).toBe(0);
    expect(runOf(good).status).toBe("succeeded");
    expect(good.err).toContain("succeeded");
    const bad = await world.assay(["run", "failing", "--set", "text=abc", "--wait"]);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain("The data[2J do not hold it. (no_data)");
    const refused = await world.assay(["run", "priced", "--set", "text=abc", "--wait"], {
      env: { ASSAY_API_KEY: world.key.poor },
    });
    expect(refused.code).toBe(4);
    expect(refused.err).toContain("insufficient_credits");
  });

  test("exits with 4 on a used-up trial, and with 1 on a price above --maximum-credits", async () => {
    const trial = ["run", "priced", "--set", "text=abc", "--mode", "trial"];
    expect((await world.assay(trial)).code).toBe(0);
    const second = await world.assay(trial);
    expect(second.code).toBe(4);
    expect(second.err).toContain("quota_exceeded");
    const dear = await world.assay(["run", "priced", "--set", "text=abc", "--maximum-credits", "1"]);
    expect(dear.code).toBe(1);
    expect(dear.err).toContain("price_exceeds_maximum");
  });

  test("stops waiting on Ctrl-C without stopping the run, and reports a cancelled run", async () => {
    const child = world.start(["run", "waiting", "--set", "text=abc", "--wait"]);
    const decoder = new TextDecoder();
    let err = "";
    for await (const bytes of child.stderr) {
      const before = err;
      err += decoder.decode(bytes, { stream: true });
      if (!before.includes("running") && err.includes("running")) child.kill("SIGINT");
    }
    expect(await child.exited).toBe(130);
    const id = /assay runs watch ([0-9a-f-]{36})/.exec(err)?.[1] ?? "";
    expect(runOf(await world.assay(["runs", "get", id, "--json"])).status).toBe("running");
    expect((await world.assay(["runs", "cancel", id])).out).toContain("cancelled");
    expect((await world.assay(["runs", "watch", id])).code).toBe(1);
    expect((await world.assay(["runs", "cancel", id])).err).toContain("run_already_finished");
  });
});

describe("reconciling", () => {
  test("lists runs by status and capability, page by page", async () => {
    await world.assay(["run", "priced", "--set", "text=abc", "--wait"]);
    const { out, err } = await world.assay([
      "runs",
      "list",
      "--capability",
      "priced",
      "--status",
      "succeeded",
      "--limit",
      "1",
    ]);
    expect(out).toMatch(/[0-9a-f-]{36}\tsucceeded\t350/);
    const cursor = /--cursor (\S+)/.exec(err)?.[1] ?? "";
    const next = await world.assay(["runs", "list", "--capability", "priced", "--limit", "1", "--cursor", cursor]);
    expect(next.out).toContain("priced");
    expect(next.out).not.toBe(out);
    const between = (from: string, to: string) => world.assay(["runs", "list", "--from", from, "--to", to]);
    const newest = JSON.parse((await world.assay(["runs", "list", "--limit", "1", "--json"])).out).items[0];
    const today = newest.created_at.slice(0, 10);
    expect((await between(today, today)).out).toMatch(/[0-9a-f-]{36}\tsucceeded\t350/);
    expect((await between("2001-01-01", "2001-01-02")).err).toContain("No runs.");
    expect((await between("2001-02-30", today)).err).toContain("  --from must be a valid");
    expect((await world.assay(["runs", "list", "--limit", "0"])).err).toContain("  --limit must be at least 1");
    expect((await world.assay(["runs", "get", "xyz"])).err).toContain("  the run id must be a UUID");
    for (const command of [
      ["runs", "get"],
      ["receipt", "get"],
    ])
      expect((await world.assay([...command, crypto.randomUUID()])).err).toContain("with: assay runs list");
  });

  test("shows balance, entries and charges", async () => {
    await world.assay(["run", "priced", "--set", "text=abc", "--wait"]);
    const account = (await world.assay(["credits"])).out;
    expect(account).toMatch(/available\t[\d,]+ credits/);
    expect(account).toMatch(/settle\t-?350|reserve\t-500/);
    expect((await world.assay(["usage", "--days", "2"])).out).toMatch(/\d+\t\d+\t[\d,]+\tpriced/);
    expect((await world.assay(["usage", "--days", "1"])).out).toMatch(/^period\t1 day$/m);
    expect((await world.assay(["usage", "--days", "400"])).err).toContain("  --days must be at most 365");
  });

  test("saves a receipt, verifies it with the public keys alone, and refuses an altered or foreign one", async () => {
    const { id } = runOf(await world.assay(["run", "priced", "--set", "text=abc", "--wait", "--json"]));
    expect((await world.assay(["receipt", "get", id, "--output", world.file("r.jws")])).code).toBe(0);
    writeFileSync(world.file("jwks.json"), await (await fetch(`${world.baseUrl}/.well-known/jwks.json`)).text());
    const offline = { env: { ASSAY_BASE_URL: "http://127.0.0.1:1" } };
    const alone = await world.assay(
      ["receipt", "verify", world.file("r.jws"), "--jwks", world.file("jwks.json")],
      offline,
    );
    expect(alone.code).toBe(0);
    expect(alone.out).toContain(id);
    expect(alone.out).toContain("charged_credits: 350");
    const receipt = await Bun.file(world.file("r.jws")).text();
    const piped = await world.assay(["receipt", "verify", "-", "--json"], { stdin: receipt });
    expect(JSON.parse(piped.out).run_id).toBe(id);
    const shown = JSON.parse((await world.assay(["receipt", "get", id, "--json"])).out);
    expect(shown).toEqual({ receipt: receipt.trim(), statement: JSON.parse(piped.out) });
    expect((await world.assay(["receipt", "get", id, "--jq", ".statement.run_id"])).out).toBe(`${id}\n`);
    const saved = await world.assay(["receipt", "get", id, "--jq", ".receipt", "--output", world.file("again.jws")]);
    expect([saved.out, await Bun.file(world.file("again.jws")).text()]).toEqual([receipt, receipt]);

    const [head = "", payload = "", signature = ""] = receipt.trim().split(".");
    const raised = Buffer.from(payload, "base64url")
      .toString()
      .replace('"charged_credits":350', '"charged_credits":349');
    const altered = `${head}.${Buffer.from(raised).toString("base64url")}.${signature}`;
    expect((await world.assay(["receipt", "verify", "-"], { stdin: altered })).err).toContain(
      "signature does not match",
    );
    expect((await world.assay(["receipt", "verify", "-"], { stdin: world.token() })).err).toContain("not a receipt");
    writeFileSync(world.file("none.json"), '{"keys":[]}');
    for (const [stdin, jwks] of [
      [altered, "jwks.json"],
      [receipt, "none.json"],
      ["x.y.z", "jwks.json"],
      ["", "jwks.json"],
    ])
      expect(
        (await world.assay(["receipt", "verify", "-", "--jwks", world.file(jwks ?? "")], { stdin: stdin ?? "" })).code,
      ).toBe(1);
  });
});

describe("approving", () => {
  test("lists and approves pending outputs with a person's token, never with an API key", async () => {
    const { id } = runOf(await world.assay(["run", "decided", "--set", "text=abc", "--json"]));
    const without = await world.assay(["approvals", "list"]);
    expect(without.code).toBe(3);
    expect(without.err).toContain("assay admin users token EMAIL");
    expect((await world.assay(["approvals", "approve", id], { env: { ASSAY_ACCESS_TOKEN: world.key.all } })).code).toBe(
      3,
    );
    const env = { ASSAY_ACCESS_TOKEN: world.token() };
    const list = async () => (await world.assay(["approvals", "list"], { env })).out;
    await until(async () => (await list()).includes(id), "the run waits");
    for (const out of [await list(), (await world.assay(["approvals", "show", id], { env })).out])
      expect(out).toStartWith("decided 1.0.0\n");
    const args = ["approvals", "approve", id, "--comment", "fine", "--access-token-stdin"];
    expect((await world.assay(args, { stdin: `${world.token()}\n` })).code).toBe(0);
    expect(runOf(await world.assay(["runs", "watch", id, "--json"])).status).toBe("succeeded");
    expect((await world.assay(["approvals", "reject", id], { env })).err).toContain("approval_already_decided");
  });

  test("shows the items of an output, decides each of them, and shows the decisions", async () => {
    const { id } = runOf(await world.assay(["run", "itemized", "--set", "text=abc", "--json"]));
    const env = { ASSAY_ACCESS_TOKEN: world.token() };
    const waits = async () => (await world.assay(["approvals", "list"], { env })).out.includes(id);
    await until(waits, "the run waits");
    const shown = await world.assay(["approvals", "show", id], { env });
    expect(shown.out).toMatch(/1\t\tAlpha/);
    expect(shown.err).toContain(`assay approvals approve ${id} --items 1,2 --reject-items 3`);
    const incomplete = await world.assay(["approvals", "approve", id, "--items", "1,2"], { env });
    expect(incomplete.code).not.toBe(0);
    expect(incomplete.err).toContain("item 3 is in neither list");
    const args = ["approvals", "approve", id, "--items", "1, 3", "--reject-items", "2", "--comment", "two of three"];
    expect((await world.assay(args, { env })).code).toBe(0);
    const after = await world.assay(["approvals", "show", id], { env });
    expect(after.out).toMatch(/2\treject/);
    expect(after.out).toContain("two of three");
    expect(after.out).not.toContain("Beta");
    expect(after.out).toMatch(/SHA-256\s+[0-9a-f]{64}/);
  });
});
