import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { commandFolder } from "../blackbox/server.ts";
import { assay } from "../support/operator.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-completion-"));
const script = (shell: string): string => join(folder, `assay.${shell}`);

/** A path on which the shells find the program. */
const path = commandFolder(folder);

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out, err } = await assay(["completion", shell]);
    expect([code, err]).toEqual([0, ""]);
    writeFileSync(script(shell), out);
  }
});

async function run(...command: string[]): Promise<string[]> {
  const env = { ...process.env, PATH: `${path}${delimiter}${process.env.PATH}` };
  const child = Bun.spawn(command, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([code, err]).toEqual([0, ""]);
  return out.split("\n").filter((line) => line !== "");
}

/** Returns bash's completions of the last word. */
const inBash = (...words: string[]): Promise<string[]> =>
  run(
    "bash",
    "-c",
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`,
    script("bash"),
    "assay",
    ...words,
  );

/** The completions of each command line: some that are offered, and some that are not. */
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

  test("bash completes files for options that take one, and nothing for free values", async () => {
    expect(await inBash("check", "--answer", "")).toEqual([]);
    expect(await inBash("runs", "list", "--cursor", "")).toEqual([]);
    expect(await inBash("runs", "list", "--status", "=", "que")).toEqual(["queued"]);
  });

  test("every command and option in the help is completed", async () => {
    const { out } = await assay(["help"]);
    const commands = [...out.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name = ""]) =>
      name.startsWith("-") ? [] : [name],
    );
    expect(commands.length).toBeGreaterThan(25);
    expect(await inBash("")).toEqual(expect.arrayContaining(commands));
  });

  for (const [words, some, none] of offers)
    test(`fish: assay ${words.join(" ")}`, async () => {
      if (!Bun.which("fish")) return console.log("not tried for want of fish");
      const line = ["assay", ...words].join(" ");
      const offered = await run("fish", "--no-config", "-c", `source ${script("fish")}; complete -C '${line}'`);
      const names = offered.map((told) => told.split("\t")[0]);
      expect([line, names]).toEqual([line, expect.arrayContaining([...some])]);
      for (const word of none) expect(names).not.toContain(word);
    });

  for (const [words, some, none] of offers)
    test(`zsh: assay ${words.join(" ")}`, async () => {
      if (!Bun.which("zsh")) return console.log("not tried for want of zsh");
      const setup = `compdef() { :; }; _describe() { printf '%s\\n' "\${(@P)2}"; }; _files() { :; }; source ${script("zsh")}`;
      const typed = `${setup}; words=(assay "$@"); CURRENT=$#words; _assay`;
      const offered = await run("zsh", "-f", "-c", typed, "zsh", ...words);
      const names = offered.map((told) => told.split(":")[0] ?? "");
      expect([words, names]).toEqual([words, expect.arrayContaining([...some])]);
      for (const word of none) expect(names).not.toContain(word);
    });

  test("the choices of an option are completed after = too", async () => {
    const { out } = await assay(["__complete", "runs", "list", "--status=s"]);
    expect(out).toBe("--status=succeeded\t\n");
  });

  test("files are completed where the help says file or folder", async () => {
    for (const words of [
      ["--data", ""],
      ["check", "--answer", ""],
      ["admin", "connectors", "test", "x", "--input", ""],
    ])
      expect((await assay(["__complete", ...words])).out).toBe(":files\n");
    expect((await assay(["__complete", "restore", ""])).out).toContain(":files\n");
  });

  test("each command listed in the help has the description of its own help", async () => {
    const { out } = await assay(["__complete", ""]);
    const listed = out.split("\n").map((line) => line.split("\t"));
    const { out: help } = await assay(["help"]);
    const [, operators = ""] = help.split("Run a server:");
    const names = [...operators.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) =>
      name === "help" ? [] : [name],
    );
    expect(names).toEqual(expect.arrayContaining(["serve", "restore", "admin", "completion"]));
    for (const name of names) {
      const about = listed.find(([text]) => text === name)?.[1] ?? "";
      const own = (await assay([name, "--help"])).out;
      const usage =
        own
          .match(/^Usage: assay (.+)$/m)?.[1]
          ?.replace(" [options]", "")
          .replace(" [command]", "") ?? "";
      expect([name, own.split("\n\n")[1]?.replaceAll(/\s+/g, " ")]).toEqual([name, about]);
      expect(help).toContain(`\n  ${usage} `);
    }
  });

  test("another shell is a usage error that names the three", async () => {
    const { code, err } = await assay(["completion", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish")]);
  });
});
