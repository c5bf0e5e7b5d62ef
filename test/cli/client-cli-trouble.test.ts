import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFor } from "../support/certificates.ts";
import { openWorld, runOf, type World } from "../support/client-cli-world.ts";
import { commandLine } from "../support/under-test.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Writes these settings to a folder for XDG_CONFIG_HOME. */
function settings(name: string, text: string, mode = 0o600): string {
  const folder = join(world.file(name), "assay");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), text);
  chmodSync(join(folder, "config.json"), mode);
  return world.file(name);
}

/** Starts a server that is not Assay. */
const other = (respond: (request: Request) => Response) =>
  Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: respond });

describe("an unavailable or foreign server", () => {
  test("is exit 1 with a hint if it is down", async () => {
    const { code, err, out } = await world.assay(["runs", "list", "--base-url", "http://127.0.0.1:1"]);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("No server answers at http://127.0.0.1:1");
    expect(err).toContain("assay serve --demo");
  });

  test("has its untrusted certificate reported by a command and by doctor, with a contact", async () => {
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: certificateFor("localhost"),
      fetch: () => Response.json({}),
    });
    const origin = `https://localhost:${server.port}`;
    const { code, err } = await world.assay(["runs", "list", "--base-url", origin]);
    expect([code, err]).toEqual([1, expect.stringContaining(`The certificate of ${origin} is not trusted`)]);
    expect(err).toContain("NODE_EXTRA_CA_CERTS");
    expect(err).not.toContain("serve --demo");
    const walked = await world.assay(["doctor", "--mcp", `${origin}/mcp`]);
    expect([walked.code, walked.out]).toEqual([1, expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
  });

  test("is reported without a stack if its response is not the API's", async () => {
    await using page = other(() => new Response("<html>", { status: 200 }));
    await using broken = other(() => new Response("Bad gateway", { status: 502 }));
    const strange = await world.assay(["runs", "list", "--base-url", page.url.href]);
    expect(strange.code).toBe(1);
    expect(strange.err).toContain("The answer is not a RunList that this version knows.");
    const bad = await world.assay(["runs", "list", "--base-url", broken.url.href]);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain("The server answered 502");
    expect(strange.err + bad.err).not.toMatch(/\bat .*\.ts/);
  });

  test("can't redirect, so that no other server gets the key", async () => {
    const seen: (string | null)[] = [];
    await using thief = other((request) => {
      seen.push(request.headers.get("authorization"));
      return Response.json({ items: [], next_cursor: null });
    });
    await using server = other(() => Response.redirect(thief.url.href));
    const { code, err } = await world.assay(["runs", "list", "--base-url", server.url.href]);
    expect(code).toBe(1);
    expect(err).toContain(`redirects to ${thief.url.href}`);
    expect(seen).toEqual([]);
  });

  test("may send properties of a newer version", async () => {
    await using newer = other(() => Response.json({ items: [], next_cursor: null, total: 0 }));
    const { code, err } = await world.assay(["runs", "list", "--base-url", newer.url.href]);
    expect(code).toBe(0);
    expect(err).toContain("No runs.");
  });

  test("is a usage error if its address is not an http URL", async () => {
    for (const url of ["localhost:8787", "ftp://x", "nonsense"])
      expect((await world.assay(["runs", "list", "--base-url", url])).code).toBe(2);
  });
});

describe("credentials", () => {
  test("that are invalid, missing or without a scope are exit 3, naming the source of the key but never the key", async () => {
    const wrong = "assay_sk_wrongwrong";
    const bad = await world.assay(["runs", "list"], { env: { ASSAY_API_KEY: wrong } });
    expect(bad.code).toBe(3);
    expect(bad.err).toContain("The credential came from ASSAY_API_KEY. Correct it, or unset it");
    const none = await world.assay(["runs", "list"], { env: { ASSAY_API_KEY: "" } });
    expect(none.code).toBe(3);
    expect(none.err).toContain("assay login");
    const narrow = await world.assay(["credits"], { env: { ASSAY_API_KEY: world.key.readOnly } });
    expect(narrow.code).toBe(3);
    expect(narrow.err).toContain("missing_scope");
    const split = await world.assay(["runs", "list"], { env: { ASSAY_API_KEY: "two words" } });
    expect(split.code).toBe(3);
    for (const { err } of [bad, narrow, split]) expect(err).not.toMatch(/wrongwrong|two words|assay_sk_\w{9}/);
  });

  test("may be a person's access token, and a newline after a key is ignored", async () => {
    const env = { ASSAY_API_KEY: "", ASSAY_ACCESS_TOKEN: world.token() };
    expect((await world.assay(["credits"], { env })).code).toBe(0);
    expect((await world.assay(["credits"], { env: { ASSAY_API_KEY: `${world.key.all}\n` } })).code).toBe(0);
  });
});

describe("the settings file", () => {
  const nothing = { ASSAY_BASE_URL: "", ASSAY_API_KEY: "" };

  test("supplies server and key, also below $HOME/.config, and the environment overrides it", async () => {
    const text = JSON.stringify({ base_url: world.baseUrl, api_key: world.key.all });
    const own = settings("own", text);
    expect((await world.assay(["credits"], { env: { ...nothing, XDG_CONFIG_HOME: own } })).code).toBe(0);
    const home = world.file("home");
    settings("home/.config", text);
    expect((await world.assay(["credits"], { env: { ...nothing, HOME: home } })).code).toBe(0);
    expect(
      (await world.assay(["credits"], { env: { ...nothing, XDG_CONFIG_HOME: "relative", HOME: home } })).code,
    ).toBe(0);
    const env = { ...nothing, XDG_CONFIG_HOME: own, ASSAY_API_KEY: world.key.readOnly };
    expect((await world.assay(["credits"], { env })).code).toBe(3);
  });

  test("has a key that is sent only to its own server", async () => {
    const seen: (string | null)[] = [];
    await using elsewhere = other((request) => {
      seen.push(request.headers.get("authorization"));
      return Response.json({ items: [], next_cursor: null });
    });
    const own = settings("alone", JSON.stringify({ base_url: world.baseUrl, api_key: world.key.all }));
    const env = { ...nothing, XDG_CONFIG_HOME: own, ASSAY_BASE_URL: elsewhere.url.href };
    expect((await world.assay(["runs", "list"], { env })).code).toBe(0);
    expect(seen).toEqual([null]);
  });

  test("causes a warning if others can read it", async () => {
    const open = settings("open", JSON.stringify({ base_url: world.baseUrl, api_key: world.key.all }), 0o644);
    const { code, err } = await world.assay(["credits"], { env: { ...nothing, XDG_CONFIG_HOME: open } });
    expect(code).toBe(0);
    expect(err).toContain("chmod 600");
  });

  test("is exit 1 if corrupted, with its path and the expected content, and without its content", async () => {
    const texts = ["{", "[]", '{"api_key": 7}', '{"base_url": "secret nonsense"}', "\0\0secret"];
    for (const [index, text] of texts.entries()) {
      const env = { ...nothing, XDG_CONFIG_HOME: settings(`corrupted${index}`, text) };
      const { code, err } = await world.assay(["credits"], { env });
      expect(code).toBe(1);
      expect(err).toContain(join(`corrupted${index}`, "assay", "config.json"));
      expect(err).toContain("delete it");
      expect(err).not.toContain("secret");
    }
    mkdirSync(join(world.file("folder"), "assay", "config.json"), { recursive: true });
    const env = { ...nothing, XDG_CONFIG_HOME: world.file("folder") };
    expect((await world.assay(["credits"], { env })).code).toBe(1);
  });

  test("is exit 1 immediately if its folder can't be created because a file is in its place", async () => {
    mkdirSync(world.file("blocked"), { recursive: true });
    writeFileSync(join(world.file("blocked"), "assay"), "");
    const env = { ...nothing, XDG_CONFIG_HOME: world.file("blocked") };
    const { code, err } = await world.assay(["login", "--api-key"], { env, stdin: world.key.all });
    expect(code).toBe(1);
    expect(err).toContain("can't be written");
    expect(err).toContain("Set XDG_CONFIG_HOME");
  });

  test("is unavailable without a home, and everything else works", async () => {
    expect((await world.assay(["credits"], { env: { HOME: "" } })).code).toBe(0);
    const { code, err } = await world.assay(["credits"], { env: { HOME: "", ASSAY_API_KEY: "" } });
    expect(code).toBe(3);
    expect(err).toContain("or set ASSAY_API_KEY");
  });
});

describe("the terminal", () => {
  test("fits every line into 40 columns, and truncates no id", async () => {
    const { id } = runOf(await world.assay(["run", "priced", "--set", "text=abc", "--wait", "--json"]));
    const views = [
      ["capabilities", "list"],
      ["capabilities", "show", "priced"],
      ["use-cases", "list"],
      ["use-cases", "show", "decided"],
      ["quote", "decided", "--set", "text=abc"],
      ["runs", "list"],
      ["runs", "get", id],
      ["credits"],
      ["usage"],
    ];
    for (const view of views) {
      const lines = await world.onTerminal(40, view, { NO_COLOR: "1" });
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(`${Bun.stringWidth(line) <= 40} ${line}`).toBe(`true ${line}`);
    }
    expect(await world.onTerminal(40, ["runs", "list"], { NO_COLOR: "1" })).toContain(id);
  });

  test("is the only output with colour, unless NO_COLOR or TERM=dumb is set", async () => {
    const list = ["capabilities", "list"];
    expect((await world.onTerminal(100, list)).join()).toContain("\u001b[32m");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      expect((await world.onTerminal(100, list, env)).join()).not.toContain("\u001b");
    expect((await world.assay(list)).out).not.toContain("\u001b");
  });

  test("receives no control characters from a server, on stdout or stderr", async () => {
    const { out, err } = await world.assay(["run", "failing", "--set", "text=abc", "--wait"]);
    expect(out + err).toContain("do not hold it");
    expect(out + err).not.toContain("\u001b");
  });

  test("may stop reading without causing a failure", async () => {
    const command = commandLine(["capabilities", "list", "--json"]);
    const child = Bun.spawn(["sh", "-c", `"$0" "$@" | true`, ...command], {
      env: { PATH: process.env.PATH ?? "", ASSAY_BASE_URL: world.baseUrl },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await child.stderr.text()).toBe("");
    expect(await child.exited).toBe(0);
  });
});
