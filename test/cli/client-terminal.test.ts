import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openWorld, runOf, type World } from "../support/client-cli-world.ts";
import { until } from "../support/harness.ts";
import { commandLine } from "../support/under-test.ts";

/** Tests what a person sees: the commands on a real terminal, using tmux, and the contents of its screen. */

const tmux = Bun.which("tmux");
if (tmux === null) console.log("skipped for want of tmux");
const onScreen = test.skipIf(tmux === null);

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let terminals = 0;
/** Opens a terminal of that size with one command in it. */
async function terminal(
  columns: number,
  rows: number,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const name = `assay-test-${process.pid}-${++terminals}`;
  const own = { ASSAY_BASE_URL: world.baseUrl, ASSAY_API_KEY: world.key.all, HOME: world.folder, ...env };
  const exports = Object.entries(own).map(([key, value]) => `export ${key}='${value}'`);
  const words = commandLine(args).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const script = world.file(`${name}.sh`);
  writeFileSync(
    script,
    [...exports, "trap : INT", `cd '${world.folder}'`, words.join(" "), 'echo "[exit $?]"', "read wait", ""].join("\n"),
  );
  const call = async (...more: string[]): Promise<string> => {
    const child = Bun.spawn(["tmux", "-u", "-L", name, "-f", "/dev/null", ...more], {
      env: { PATH: process.env.PATH ?? "", TERM: "xterm-256color", LANG: "C.UTF-8", HOME: world.folder },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(err);
    return out;
  };
  await call("new-session", "-d", "-x", String(columns), "-y", String(rows), `sh '${script}'`);
  const screen = () => call("capture-pane", "-p", "-S", "-200");
  return {
    screen,
    type: (...keys: string[]) => call("send-keys", ...keys),
    async shows(text: string | RegExp): Promise<string> {
      let seen = "";
      await until(async () => {
        seen = await screen();
        return typeof text === "string" ? seen.includes(text) : text.test(seen);
      }, `${text} on the screen, which shows:\n${seen}`);
      return seen;
    },
    colours: () => call("capture-pane", "-p", "-e", "-S", "-200"),
    [Symbol.asyncDispose]: async () => void (await call("kill-server")),
  };
}

const times = (screen: string, text: string): number => screen.split(text).length - 1;
const run = ["run", "staged", "--set", "text=abc", "--wait"];

/** Approves the newest pending run as its owner. */
async function approve(): Promise<void> {
  const { items } = JSON.parse((await world.assay(["runs", "list", "--status", "awaiting_approval", "--json"])).out);
  await world.assay(["approvals", "approve", items[0].id], { env: { ASSAY_ACCESS_TOKEN: world.token() } });
}

describe("on a terminal", () => {
  onScreen("a run's steps are a list that is redrawn in place until the run has finished", async () => {
    await using view = await terminal(80, 30, run);
    const waiting = await view.shows("? The third step of three");
    expect(waiting).toContain("✓ The first step of three");
    expect(waiting).toContain("✓ The second step of three");
    await approve();
    const ended = await view.shows("[exit 0]");
    for (const step of ["first", "second", "third"]) expect(times(ended, `✓ The ${step} step of three`)).toBe(1);
    expect(times(ended, "awaiting approval")).toBe(0);
    expect(ended).toContain("charged");
    expect(await view.colours()).toContain("\u001b[32m");
  });

  onScreen("on 40 columns and 12 rows redrawing leaves no remains", async () => {
    await using view = await terminal(40, 12, run, { NO_COLOR: "1" });
    await view.shows("decide with");
    await approve();
    const ended = await view.shows("[exit 0]");
    for (const step of ["first", "second", "third"])
      expect(times(ended, `✓ The ${step} step of three`)).toBeLessThan(2);
    expect(times(ended, "decide with")).toBe(0);
    expect(ended).toMatch(/^charged +1,050/m);
    expect(await view.colours()).not.toContain("\u001b[32m");
  });

  onScreen("Ctrl-C stops waiting, and says how to continue", async () => {
    await using view = await terminal(80, 30, ["run", "waiting", "--set", "text=abc", "--wait"]);
    await view.shows(/running/);
    await view.type("C-c");
    const seen = await view.shows("assay runs watch");
    expect(seen).toContain("The run continues");
    const id = /assay runs watch ([0-9a-f-]{36})/.exec(seen.replaceAll("\n", " "))?.[1] ?? "";
    expect(runOf(await world.assay(["runs", "cancel", id, "--json"])).id).toBe(id);
  });

  onScreen("an API key is not echoed when typed", async () => {
    const env = { ASSAY_API_KEY: "", XDG_CONFIG_HOME: world.file("typed") };
    await using view = await terminal(80, 20, ["login", "--api-key"], env);
    await view.shows("API key (not shown):");
    await view.type("-l", world.key.all);
    await view.type("Enter");
    const seen = await view.shows("[exit 0]");
    expect(seen).toContain("Signed in to");
    expect(seen).not.toContain(world.key.all.slice(0, 24));
  });

  onScreen("lists fit 40 columns: the terminal breaks no line", async () => {
    for (const view of [["capabilities", "list"], ["runs", "list", "--limit", "3"], ["whoami"]]) {
      await using shown = await terminal(40, 50, view);
      const seen = await shown.shows("[exit 0]");
      const { out } = { out: (await world.onTerminal(40, view, { NO_COLOR: "1" })).join("\n") };
      expect(seen.split("[exit 0]")[0]?.trim().split("\n").length).toBe(out.trim().split("\n").length);
    }
  });

  onScreen("watching a run continues after a restart of the server", async () => {
    await using view = await terminal(80, 30, run);
    await view.shows("? The third step of three");
    await world.away(async () => void (await view.shows("retrying")));
    await view.shows("? The third step of three");
    await approve();
    await view.shows("[exit 0]");
  });
});
