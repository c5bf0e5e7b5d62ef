import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { temporaryFolder } from "../blackbox/server.ts";
import { run } from "../clients/tools.ts";
import { type ClientWorld, openClientWorld } from "../support/client-world.ts";

/** The examples in the documentation, run as published. */

const folder = temporaryFolder("examples");
const hasPython = Bun.which("python3") !== null;
let served: ClientWorld;
/** The operations with their Markdown. */
let operations: { readonly id: string; readonly text: string; readonly isForBrowser: boolean }[];

const markdown = async (path: string): Promise<string> => (await served.world.ask(path)).text();

beforeAll(async () => {
  served = await openClientWorld();
  const { paths } = (await (await served.world.ask("/openapi-public.json")).json()) as OpenApi;
  const methods = Object.values(paths).flatMap((item) => Object.values(item));
  operations = await Promise.all(
    methods.map(async ({ operationId: id, security }) => ({
      id,
      text: await markdown(`/docs/reference/${id}.md`),
      isForBrowser: security.some((alternative) => Object.hasOwn(alternative, "browserSession")),
    })),
  );
});
afterAll(async () => {
  folder.dispose();
  await served[Symbol.asyncDispose]();
});

/** Returns the code blocks of a language, in order. */
const blocks = (text: string, info: string): string[] =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].filter(([, own]) => own === info).map(([, , code = ""]) => code);

const environment = (): Record<string, string> => ({ ASSAY: served.baseUrl, KEY: served.firm.key });

async function runs(command: readonly string[], name: string, code: string): Promise<string> {
  const file = join(folder.path, name);
  writeFileSync(file, code);
  const { code: status, output } = await run([...command, file], folder.path, environment());
  if (status !== 0) throw new Error(`${name} exited with ${status}:\n${output}`);
  return output;
}

/** Checks that a quick start's output ends with the receipt and the credits. */
function expectReconciled(output: string): void {
  expect(output).toContain("succeeded");
  expect(output).toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/);
  expect(output).toContain("available");
  expect(output).not.toContain("internal_error");
}

describe("the quick start, as published,", () => {
  test("leads to a receipt in a shell", async () => {
    const shell = blocks(await markdown("/docs/quickstart.md"), "sh curl");
    expect(shell).toHaveLength(4);
    expectReconciled(await runs(["bash", "-euo", "pipefail"], "quickstart.sh", shell.join("\n")));
  });

  test("leads to a receipt in TypeScript", async () => {
    const parts = blocks(await markdown("/docs/quickstart.md"), "ts TypeScript");
    expect(parts).toHaveLength(4);
    expectReconciled(await runs([process.execPath], "quickstart.ts", parts.join("\n")));
  });

  test.skipIf(!hasPython)("leads to a receipt in Python", async () => {
    const parts = blocks(await markdown("/docs/quickstart.md"), "python Python");
    expect(parts).toHaveLength(4);
    expectReconciled(await runs(["python3"], "quickstart.py", parts.join("\n")));
  });
});

describe("the reference's examples", () => {
  const languages = ["sh curl", "ts TypeScript", "python Python", "js"];

  test("every operation has one in each language, or for the browser if nothing else may call it", () => {
    const programs = operations.filter(({ isForBrowser }) => !isForBrowser);
    expect(programs.length).toBeGreaterThan(80);
    for (const { id, text, isForBrowser } of operations)
      expect({ id, found: languages.map((language) => blocks(text, language).length) }).toEqual({
        id,
        found: isForBrowser ? [0, 0, 0, 1] : [1, 1, 1, 0],
      });
  });

  test("a run, started as each language shows it, is accepted", async () => {
    const text = await markdown("/docs/exa-filter.md");
    const [shell = ""] = blocks(text, "sh curl");
    const [typescript = ""] = blocks(text, "ts TypeScript");
    const [python = ""] = blocks(text, "python Python");
    const started = [
      runs(["bash", "-euo", "pipefail"], "run.sh", shell),
      runs([process.execPath], "run.ts", typescript),
      ...(hasPython ? [runs(["python3"], "run.py", python)] : []),
    ];
    for (const output of await Promise.all(started)) expect(output).toContain("exa-filter");
  });

  test("the shell makes a new key each time with POSIX tools only", async () => {
    const [, key = ""] = /"Idempotency-Key: (.*)"/.exec(await markdown("/docs/exa-filter.md")) ?? [];
    const made = [];
    for (let i = 0; i < 2; i++) made.push((await runs(["sh", "-eu"], "key.sh", `printf %s "${key}"`)).trim());
    for (const one of made) expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(made).size).toBe(2);
  });

  test("all of the TypeScript, shell and Python parses", async () => {
    const compiler = new Bun.Transpiler({ loader: "ts" });
    for (const { text } of operations)
      for (const code of [...blocks(text, "ts TypeScript"), ...blocks(text, "js")]) compiler.transformSync(code);
    const shells = operations.flatMap(({ text }) => blocks(text, "sh curl"));
    await runs(["bash", "-n"], "all.sh", shells.join("\n"));
    if (!hasPython) return;
    const pythons = operations.flatMap(({ text }) => blocks(text, "python Python"));
    const [file, reader] = [
      "all.json",
      "import ast, json, sys\nfor code in json.load(open('all.json')): ast.parse(code)",
    ];
    writeFileSync(join(folder.path, file), JSON.stringify(pythons));
    await runs(["python3"], "read.py", reader);
  });

  test("a read without parameters returns the same in every language", async () => {
    const read = operations.filter(({ text }) => {
      const [shell = ""] = blocks(text, "sh curl");
      return /^curl -s "\$ASSAY\/v1\/(capabilities|credits|docs)"/.test(shell);
    });
    expect(read.map(({ id }) => id).sort()).toEqual(["getCredits", "listCapabilities", "listDocs"]);
    for (const { id, text } of read) {
      const [typescript = ""] = blocks(text, "ts TypeScript");
      expect(await runs([process.execPath], `${id}.ts`, typescript)).toStartWith("200 ");
    }
  });
});
