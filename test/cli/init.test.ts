import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Installation } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

describe("assay init", () => {
  test("creates owner, firm, workspace, credits, gates and a key, once", async () => {
    await using place = new Installation();
    const { err, ...ended } = await place.run(
      ...["init", "--email", "owner@acme.test", "--firm", "Acme", "--json"],
      ...["--name", "Ada", "--workspace", "Desk", "--credits", "500", "--gates", "all"],
    );
    const made = JSON.parse(ended.out);
    expect(err).toContain("`assay admin gates open european-market-entry-pack`");
    expect(made).toMatchObject({ firm: { slug: "acme" }, owner: { email: "owner@acme.test" }, credits: 500 });
    expect(statSync(place.data).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.data, "master.key")).mode & 0o777).toBe(0o600);
    const gates = await place.json<{ name: string; open: boolean }[]>("admin", "gates", "list");
    expect(gates.filter((gate) => !gate.open).map((gate) => gate.name)).toEqual(["european-market-entry-pack"]);
    const again = await place.run("init", "--email", "x@y.test", "--firm", "Other");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toContain("is already set up");
    expect(await place.json<unknown[]>("admin", "firms", "list")).toHaveLength(1);
  });

  test("opens nothing and grants nothing by default", async () => {
    await using place = new Installation();
    await place.init();
    const gates = await place.json<{ open: boolean }[]>("admin", "gates", "list");
    expect(gates.some((gate) => gate.open)).toBe(false);
    expect(await place.json<unknown>("admin", "credits", "show")).toMatchObject({ balance: { available: 0 } });
  });

  test.each([
    ["no terminal", [], "--email and --firm are required"],
    ["an invalid address", ["--email", "x", "--firm", "F"], "email must be an e-mail address"],
    ["an unknown gate", ["--email", "x@y.z", "--firm", "F", "--gates", "nonsense"], "no gate nonsense"],
    [
      "negative credits",
      ["--email", "x@y.z", "--firm", "F", "--credits", "-1"],
      "credits must be a whole number from 0",
    ],
    ["a firm without a name", ["--email", "x@y.z", "--firm", " "], "firm must have 1 to 120 characters"],
    [
      "a workspace with a control character",
      ["--email", "x@y.z", "--firm", "F", "--workspace", "a\u0007"],
      "workspace must not",
    ],
    ["a name too long", ["--email", "x@y.z", "--firm", "F", "--name", "a".repeat(121)], "name must have"],
  ])("with %s exits with 2 before anything is created", async (_, args, message) => {
    await using place = new Installation();
    const { code, err } = await place.run("init", ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(existsSync(place.data)).toBe(false);
  });

  test("asks on a terminal, and again after an invalid answer", async () => {
    await using place = new Installation();
    const password = "four words nobody combines";
    const answers = [
      "",
      "ada at acme",
      "ada@acme.test",
      "Ada",
      "",
      "Acme",
      "",
      "plenty",
      "250",
      "nonsense",
      "platform",
    ];
    answers.push("short", password, "another", password, password);
    let shown = "";
    let asked = 0;
    const child = Bun.spawn(commandLine(["init", "--data", place.data]), {
      terminal: {
        cols: 200,
        rows: 40,
        data(terminal, bytes) {
          shown += new TextDecoder().decode(bytes);
          const questions =
            shown.match(
              /(address|optional\)|name|workspace \[Main\]|credits \[0\]|names\) \[none\]|choosing one\)|the password): /g,
            ) ?? [];
          for (; asked < questions.length; asked++) terminal.write(`${answers[asked] ?? ""}\r`);
        },
      },
    });
    expect(await child.exited).toBe(0);
    expect(shown).toContain("assay_sk_");
    expect(shown).toContain("It must be an e-mail address.");
    expect(shown).toContain("It must have 1 to 120 characters.");
    expect(shown).toContain("It must be a whole number from 0 to");
    expect(shown).toContain("there is no gate nonsense");
    expect(shown).toContain("It must have 12 to 128 characters.");
    expect(shown).toContain("The passwords differ.");
    expect(shown).not.toContain(password);
    expect(shown).not.toContain("/reset-password");
    const server = await place.serve();
    const signedIn = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@acme.test", password }),
    });
    expect(signedIn.status).toBe(200);
    expect(await place.json<unknown>("admin", "firms", "show")).toMatchObject({
      name: "Acme",
      credits: { available: 250 },
      workspaces: [{ name: "Main" }],
      users: [{ email: "ada@acme.test" }],
    });
  });
});
