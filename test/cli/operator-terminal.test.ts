import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { minute } from "../../src/platform/clock.ts";
import { Installation, type Serving } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

// The commands are separate processes.
setDefaultTimeout(10 * minute);

/** Signs in and returns the status. */
async function signIn({ url }: Serving, email: string, password: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ email, password });
  return (await fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", headers, body })).status;
}

/** Runs a command on a terminal, with an answer to each question: `\u0003` is Ctrl-C, `\u0004` Ctrl-D. */
async function onTerminal(args: readonly string[], answers: readonly (readonly [question: string, keys: string])[]) {
  let shown = "";
  let next = 0;
  let seen = 0;
  const child = Bun.spawn(commandLine(args), {
    terminal: {
      cols: 200,
      rows: 40,
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        for (let found = answers[next]; found && shown.includes(found[0], seen); found = answers[next]) {
          seen = shown.indexOf(found[0], seen) + found[0].length;
          terminal.write(found[1]);
          next += 1;
        }
      },
    },
  });
  return { code: await child.exited, shown };
}

describe("on a terminal", () => {
  const password = "four words nobody combines";
  const owner = ["--email", "o@x.test", "--firm", "F"];

  test("asks for the owner's password if everything else was given, and set-password for a new one", async () => {
    await using place = new Installation();
    const typed = `${password}\r`;
    const made = await onTerminal(
      ["init", "--data", place.data, ...owner],
      [
        ["Your password", typed],
        ["Repeat the password: ", typed],
      ],
    );
    expect([made.code, made.shown]).toEqual([0, expect.stringContaining("assay_sk_")]);
    const other = "another five words for them";
    const set = ["admin", "users", "set-password", "o@x.test", "--data", place.data];
    const changed = await onTerminal(set, [
      ["New password for o@x.test", "short\r"],
      ["New password for o@x.test", `${other}\r`],
      ["Repeat the password: ", `${other}\r`],
    ]);
    expect([changed.code, changed.shown]).toEqual([0, expect.stringContaining("It must have 12 to 128 characters.")]);
    expect(made.shown + changed.shown).not.toMatch(/four words|another five/);
    const kept = await onTerminal(set, [["New password", "\r"]]);
    expect([kept.code, kept.shown]).toEqual([2, expect.stringContaining("nothing was changed")]);
    const server = await place.serve();
    expect([await signIn(server, "o@x.test", password), await signIn(server, "o@x.test", other)]).toEqual([401, 200]);
  });

  test.each([
    ["a question", [], "Your e-mail address: "],
    ["a password", owner, "Your password"],
  ])(
    "Ctrl-C at %s ends init with 130, the end of the input with 2, and nothing is created",
    async (_, args, question) => {
      await using place = new Installation();
      for (const [keys, code] of [
        ["\u0003", 130],
        ["\u0004", 2],
      ] as const)
        expect((await onTerminal(["init", "--data", place.data, ...args], [[question, keys]])).code).toBe(code);
      expect(existsSync(place.database)).toBe(false);
    },
  );
});
