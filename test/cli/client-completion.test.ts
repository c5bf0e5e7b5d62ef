import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "../support/operator.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-completion-"));
const script = (shell: string): string => join(folder, `assay.${shell}`);

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out, err } = await assay(["completion", shell]);
    expect([code, err]).toEqual([0, ""]);
    writeFileSync(script(shell), out);
  }
});

async function run(...command: string[]): Promise<string[]> {
  const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([code, err]).toEqual([0, ""]);
  return out.split("\n").filter((line) => line !== "");
}

/** What bash offers for the last word. */
const inBash = (...words: string[]): Promise<string[]> =>
  run(
    "bash",
    "-c",
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`,
    script("bash"),
    "assay",
    ...words,
  );

/** What each way to type offers: among other things, and nothing of those. */
const offers: readonly (readonly [words: string[], some: string[], none: string[]])[] = [
  [[""], ["login", "run", "runs", "mcp", "serve", "admin", "completion"], ["list", "stdio"]],
  [["ru"], ["run", "runs"], ["login"]],
  [["runs", ""], ["list", "get", "watch", "cancel"], ["login"]],
  [["mcp", "install", "--client", ""], ["claude-code", "claude-desktop", "cursor", "vscode"], ["user"]],
  [["mcp", "install", "--client", "cursor", "--s"], ["--scope", "--stdio"], ["--client"]],
  [["runs", "list", "--status", "s"], ["succeeded"], ["failed"]],
  [["--data", "folder", "admin", "k"], ["keys"], ["firms"]],
  [["admin", "users", "create", "--role", ""], ["owner", "admin", "approver", "member"], []],
  [["completion", ""], ["bash", "zsh", "fish"], ["login"]],
  [["help", "cap"], ["capabilities"], []],
  [["run", "exa-filter", "--w"], ["--wait", "--workspace"], ["--json"]],
];

describe("completion", () => {
  for (const [words, some, none] of offers)
    test(`bash: assay ${words.join(" ")}`, async () => {
      const offered = await inBash(...words);
      expect(offered).toEqual(expect.arrayContaining(some));
      for (const word of none) expect(offered).not.toContain(word);
    });

  test("bash offers files where an option takes one, and nothing where a value is anybody's guess", async () => {
    expect(await inBash("check", "--answer", "")).toEqual([]);
    expect(await inBash("runs", "list", "--cursor", "")).toEqual([]);
    expect(await inBash("runs", "list", "--status", "=", "que")).toEqual(["queued"]);
  });

  test("every command and option of the help is offered", async () => {
    const { out } = await assay(["help"]);
    const commands = [...out.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name = ""]) =>
      name.startsWith("-") ? [] : [name],
    );
    expect(commands.length).toBeGreaterThan(25);
    expect(await inBash("")).toEqual(expect.arrayContaining(commands));
  });

  test("fish reads its script and offers the same", async () => {
    if (!Bun.which("fish")) return console.log("not tried for want of fish");
    for (const [words, some, none] of offers) {
      const line = ["assay", ...words].join(" ");
      const offered = await run("fish", "--no-config", "-c", `source ${script("fish")}; complete -C '${line}'`);
      const names = offered.map((told) => told.split("\t")[0]);
      expect([line, names]).toEqual([line, expect.arrayContaining(some)]);
      for (const word of none) expect(names).not.toContain(word);
    }
  });

  test("zsh reads its script and offers the same", async () => {
    if (!Bun.which("zsh")) return console.log("not tried for want of zsh");
    const lines = offers.map(([words]) => words);
    for (const [i, words] of lines.entries()) {
      const setup = `compdef() { :; }; _describe() { printf '%s\\n' "\${(@P)2}"; }; _files() { :; }; source ${script("zsh")}`;
      const offered = await run(
        "zsh",
        "-f",
        "-c",
        `${setup}; words=(assay "$@"); CURRENT=$#words; _assay`,
        "zsh",
        ...words,
      );
      const last = words.at(-1) ?? "";
      const names = offered.map((told) => told.split(":")[0] ?? "").filter((name) => name.startsWith(last));
      expect([words, names]).toEqual([words, expect.arrayContaining([...(offers[i]?.[1] ?? [])])]);
    }
  });

  test("another shell is a usage error that names the three", async () => {
    const { code, err } = await assay(["completion", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish")]);
  });
});
