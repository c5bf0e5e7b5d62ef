import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { type McpClientName, mcpClientNames, mcpClients, type ScopeName } from "../../src/cli/client/mcp-clients.ts";
import { withEntry } from "../../src/cli/client/mcp-file.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { commandLine } from "../support/under-test.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let homes = 0;
/** A home directory without any client, and the command run in it. */
function home() {
  const folder = world.file(`home${++homes}`);
  mkdirSync(folder);
  const env = { HOME: folder, XDG_CONFIG_HOME: "" };
  return {
    file: (...parts: string[]) => join(folder, ...parts),
    env,
    install: (...args: string[]) => world.assay(["mcp", "install", ...args], { env }),
  };
}

const places: Record<McpClientName, string> = {
  "claude-code": ".claude.json",
  "claude-desktop": ".config/Claude/claude_desktop_config.json",
  cursor: ".cursor/mcp.json",
  vscode: ".config/Code/User/mcp.json",
};
const sectionOf = (client: McpClientName) => mcpClients[client].section;
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** A file edited by a person. */
const grown = `{
  // what I use
  "numStartups": 7,
  "mcpServers": {
    "other": { "command": "other", "env": { "TOKEN": "secret of another" } }, // keep this
  },
  "last": [1, 2],
}
`;

describe("installing", () => {
  for (const client of mcpClientNames)
    test(`${client}: adds the entry where the client looks for it, and removes it again`, async () => {
      const { install, file } = home();
      const path = file(places[client]);
      expect((await install("--client", client, "--yes")).code).toBe(0);
      const entry = read(path)[sectionOf(client)].assay;
      if (client === "claude-desktop")
        expect(entry.args.slice(-4)).toEqual(["mcp", "stdio", "--base-url", world.baseUrl]);
      else expect(entry.url).toBe(`${world.baseUrl}/mcp`);
      expect(readFileSync(path, "utf8")).not.toContain("assay_sk_");
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const again = await install("--client", client, "--yes");
      expect([again.code, again.err]).toEqual([0, expect.stringContaining("has it already")]);
      expect((await install("--client", client, "--remove", "--yes")).code).toBe(0);
      expect(read(path)[sectionOf(client)]).toEqual({});
      expect((await install("--client", client, "--remove", "--yes")).err).toContain("nothing to do");
    });

  test("keeps a file's comments, other entries and mode, and a copy of the previous version", async () => {
    const { install, file } = home();
    const path = file(".claude.json");
    writeFileSync(path, grown, { mode: 0o640 });
    chmodSync(path, 0o640);
    const { code, out } = await install("--client", "claude-code", "--yes");
    expect(code).toBe(0);
    const text = readFileSync(path, "utf8");
    for (const line of ["// what I use", "// keep this", '"numStartups": 7', '"last": [1, 2]'])
      expect(text).toContain(line);
    expect(parse(text).mcpServers.other.env.TOKEN).toBe("secret of another");
    expect(parse(text).mcpServers.assay).toEqual({ type: "http", url: `${world.baseUrl}/mcp` });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${path}.assay-backup`, "utf8")).toBe(grown);
    expect(out).toContain(`+    "assay": {`);
    expect((await install("--client", "claude-code", "--remove", "--yes")).code).toBe(0);
    expect(parse(readFileSync(path, "utf8"))).toEqual(parse(grown));
  });

  test("shows no other entry's secret in the difference, even in a file of one line", async () => {
    const { install, file } = home();
    const line = JSON.stringify({ padding: "x".repeat(400), mcpServers: { other: { env: { TOKEN: "secret" } } } });
    writeFileSync(file(".claude.json"), line);
    const { out } = await install("--client", "claude-code", "--dry-run");
    expect(out).toMatch(/^\+ \(a line of \d+ characters\)$/m);
    expect(out).not.toContain("secret");
    await install("--client", "claude-code", "--yes");
    expect(readFileSync(file(".claude.json"), "utf8")).not.toContain("\n");
  });

  test("refuses a broken file with the position, and leaves it unchanged", async () => {
    for (const [text, told] of [
      ['{"mcpServers": {', "line 1"],
      ['{\n  "a": 1,\n  oops\n}', "line 3"],
      ["[]", "not an object"],
      ['{"mcpServers": []}', "not an object"],
      ['{"mcpServers": {}, "mcpServers": {}}', "twice"],
    ] as const) {
      const { install, file } = home();
      writeFileSync(file(".claude.json"), text);
      const { code, err } = await install("--client", "claude-code", "--yes");
      expect([code, err]).toEqual([1, expect.stringContaining(told)]);
      expect(err).toContain("not changed");
      expect(readFileSync(file(".claude.json"), "utf8")).toBe(text);
      expect(existsSync(file(".claude.json.assay-backup"))).toBe(false);
    }
  });

  test("with --dry-run writes nothing, and without a terminal requires --yes", async () => {
    const { install, file } = home();
    expect(await install("--client", "cursor", "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringContaining("/mcp"),
    });
    const unasked = await install("--client", "cursor");
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("--yes")]);
    expect(existsSync(file(".cursor"))).toBe(false);
  });

  test("asks on a terminal, and writes only after a yes", async () => {
    for (const [answer, isWritten] of [
      ["n", false],
      ["", false],
      ["y", true],
    ] as const) {
      const { env, file } = home();
      let shown = "";
      const child = Bun.spawn(commandLine(["mcp", "install", "--client", "cursor"]), {
        cwd: world.folder,
        env: { PATH: process.env.PATH ?? "", TERM: "xterm", ASSAY_BASE_URL: world.baseUrl, ...env },
        terminal: {
          data(terminal, bytes) {
            const before = shown;
            shown += new TextDecoder().decode(bytes);
            if (!before.includes("[y/N]") && shown.includes("[y/N]")) terminal.write(`${answer}\r`);
          },
        },
      });
      expect(await child.exited).toBe(0);
      expect(existsSync(file(".cursor", "mcp.json"))).toBe(isWritten);
    }
  });

  test("writes neither a secret nor a local path into a project's file", async () => {
    const { env } = home();
    for (const [client, path] of [
      ["claude-code", ".mcp.json"],
      ["cursor", ".cursor/mcp.json"],
      ["vscode", ".vscode/mcp.json"],
    ] as const)
      for (const more of [[], ["--stdio"]]) {
        const args = ["mcp", "install", "--client", client, "--scope", "project", "--yes", ...more];
        expect((await world.assay(args, { env })).code).toBe(0);
        const text = readFileSync(world.file(path), "utf8");
        expect(text).toContain(world.baseUrl);
        expect(text).not.toContain("assay_sk_");
        for (const word of commandLine([])) expect(text).not.toContain(word);
      }
    const desktop = await world.assay(["mcp", "install", "--client", "claude-desktop", "--scope", "project"], { env });
    expect(desktop.code).toBe(2);
  });

  test("uses the only client found, and requires a name if there are several", async () => {
    const { install, file } = home();
    const none = await install("--yes");
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("claude-code, claude-desktop, cursor, vscode")]);
    mkdirSync(file(".cursor"));
    expect((await install("--yes")).code).toBe(0);
    expect(read(file(".cursor", "mcp.json")).mcpServers.assay.url).toBe(`${world.baseUrl}/mcp`);
    mkdirSync(file(".config", "Claude"), { recursive: true });
    expect(await install("--yes")).toMatchObject({ code: 2, err: expect.stringContaining("claude-desktop, cursor") });
    expect((await install("--client", "emacs")).code).toBe(2);
  });

  test("replaces an entry with another address, and --name names it differently", async () => {
    const { install, file } = home();
    await install("--client", "cursor", "--yes", "--base-url", "https://old.example");
    expect(await install("--client", "cursor", "--yes", "--name", "work")).toMatchObject({ code: 0 });
    expect((await install("--client", "cursor", "--yes")).out).toContain("old.example");
    const url = `${world.baseUrl}/mcp`;
    expect(read(file(".cursor", "mcp.json")).mcpServers).toEqual({ assay: { url }, work: { url } });
  });
});

describe("the location of clients' settings", () => {
  const homes = { linux: "/home/ada", darwin: "/Users/ada", win32: "C:\\Users\\ada" } as const;
  const expected: Record<keyof typeof homes, Record<McpClientName, string>> = {
    linux: {
      "claude-code": "/home/ada/.claude.json",
      "claude-desktop": "/home/ada/.config/Claude/claude_desktop_config.json",
      cursor: "/home/ada/.cursor/mcp.json",
      vscode: "/home/ada/.config/Code/User/mcp.json",
    },
    darwin: {
      "claude-code": "/Users/ada/.claude.json",
      "claude-desktop": "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
      cursor: "/Users/ada/.cursor/mcp.json",
      vscode: "/Users/ada/Library/Application Support/Code/User/mcp.json",
    },
    win32: {
      "claude-code": "C:\\Users\\ada\\.claude.json",
      "claude-desktop": "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
      cursor: "C:\\Users\\ada\\.cursor\\mcp.json",
      vscode: "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json",
    },
  };
  for (const platform of ["linux", "darwin", "win32"] as const)
    test(`on ${platform}`, () => {
      const place = { env: { HOME: homes[platform] }, platform, folder: "." };
      for (const client of mcpClientNames)
        expect(mcpClients[client].path(place, "user")).toBe(expected[platform][client]);
    });

  test("follows the variables that move them, and needs a home", () => {
    const at = (env: Record<string, string>, client: McpClientName, scope: ScopeName = "user") =>
      mcpClients[client].path({ env, platform: "linux", folder: "/code" }, scope);
    expect(at({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }, "claude-code")).toBe("/c/.claude.json");
    expect(at({ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "vscode")).toBe("/x/Code/User/mcp.json");
    expect(at({}, "cursor")).toBeUndefined();
    expect(at({}, "cursor", "project")).toBe("/code/.cursor/mcp.json");
  });
});

describe("changing another program's file", () => {
  const entry = { url: "http://localhost/mcp" };
  const names = fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name !== "__proto__");
  // As in a file: JSON has no -0.
  const files = fc
    .record(
      {
        settings: fc.jsonValue(),
        mcpServers: fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true }),
      },
      { requiredKeys: [] },
    )
    .map((file) => JSON.parse(JSON.stringify(file)) as typeof file);
  const indents = fc.constantFrom(0, 2, 4, "\t");

  test("adds one entry, changes no other value, and removing it restores the file", () => {
    fc.assert(
      fc.property(
        files,
        indents,
        names,
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        (file, indent, name, eol, marked) => {
          const before = (marked ? "\uFEFF" : "") + JSON.stringify(file, null, indent).replaceAll("\n", eol);
          const parsed = (text: string) => JSON.parse(text.replace("\uFEFF", ""));
          const added = withEntry("f", before, "mcpServers", name, entry);
          expect(parsed(added)).toEqual({ ...file, mcpServers: { ...file.mcpServers, [name]: entry } });
          expect(added.startsWith("\uFEFF")).toBe(marked);
          expect(withEntry("f", added, "mcpServers", name, entry)).toBe(added);
          const { [name]: _gone, ...others } = file.mcpServers ?? {};
          expect(parsed(withEntry("f", added, "mcpServers", name, undefined))).toEqual({ ...file, mcpServers: others });
        },
      ),
    );
  });

  test("leaves a neighbour's comments and formatting in place, and restores them byte for byte", () => {
    const neighbours = [
      '    "other": { "command": "x",   "args": [] } // keep',
      '    "other": { "command": "x" }, // keep, and the comma',
      '    // above\n    "other": {\n        "command": "x" /* inside */\n    } /* a */ // b\n    // below',
      '    "one": 1, "two": 2 // both',
    ];
    for (const neighbour of neighbours)
      for (const eol of ["\n", "\r\n"]) {
        const before = `{ // top\n  "mcpServers": {\n${neighbour}\n  }, // end\n  "more": [1,2]\n}\n`.replaceAll(
          "\n",
          eol,
        );
        const added = withEntry("f", before, "mcpServers", "assay", entry);
        for (const line of neighbour.split("\n")) {
          const kept = line.replace(/( *)(\/[/*].*)?$/, "");
          expect(added).toContain(kept);
        }
        const comment = /(\/\/ keep.*|\/\/ both|\/\* a \*\/ \/\/ b)/.exec(before)?.[0] ?? "";
        const lineOf = (text: string) => text.split(eol).find((line) => line.includes(comment.trim()));
        expect(lineOf(added)?.replace("},", "}").replace("2,", "2")).toBe(
          lineOf(before)?.replace("},", "}").replace("2,", "2"),
        );
        expect(withEntry("f", added, "mcpServers", "assay", undefined)).toBe(before);
      }
  });

  test("turns an empty file into a settings file", () => {
    for (const text of ["", " \n"])
      expect(JSON.parse(withEntry("f", text, "servers", "assay", entry))).toEqual({ servers: { assay: entry } });
  });
});
