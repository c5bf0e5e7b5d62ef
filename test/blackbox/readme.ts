import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { minute } from "../../src/platform/clock.ts";
import { commandFolder, endServers, type ServerProcess, startServer, temporaryFolder } from "./server.ts";

/** The README's examples, run as written: the `sh` blocks of a section in one shell. */

setDefaultTimeout(10 * minute);

const readme = readFileSync(join(import.meta.dir, "..", "..", "README.md"), "utf8");
const folder = temporaryFolder("readme");
const data = join(folder.path, "assay-data-demo");
let server: ServerProcess;
let baseUrl = "";

beforeAll(async () => {
  server = startServer(data, ["--demo"]);
  baseUrl = await server.ready;
});

afterAll(async () => {
  await endServers();
  folder.dispose();
});

/** Returns the shell lines of a section. */
function examplesOf(heading: string): string {
  const [, section = ""] = readme.split(`\n## ${heading}\n`);
  const [body = ""] = section.split("\n## ");
  return [...body.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = ""]) => lines).join("\n");
}

/** Runs lines in a folder, with the demo server's actual address. */
async function shell(lines: string, cwd: string) {
  const script = lines.replaceAll("http://127.0.0.1:8787", baseUrl).replaceAll('"$PWD/dist:$PATH"', '"$PATH"');
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: `${commandFolder(folder.path)}:${process.env.PATH}`,
      HOME: folder.path,
      ASSAY_BASE_URL: baseUrl,
    },
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, out, err };
}

const firstCalls = examplesOf("First calls");
const [takeKey = ""] = firstCalls.split("\n");

test("the first calls return what the README promises", async () => {
  const { code, out } = await shell(firstCalls, folder.path);
  expect(code).toBe(0);
  expect(out).not.toContain('"error":{');
  expect(out).toContain('"capability":"exa-filter"');
  expect(out).toContain('"verdict_text":"The sources support the claim."');
  expect(out).toContain('"available":');
});

test("the command line's examples do what the README says", async () => {
  const lines = `${takeKey}\n${examplesOf("The command line")}`;
  expect(await shell(lines, folder.path)).toMatchObject({ code: 0, out: expect.stringContaining("exa-filter") });
});

test("the production setup leads to an installation that verifies", async () => {
  const cwd = join(folder.path, "production");
  mkdirSync(cwd);
  const lines = `unset ASSAY_BASE_URL\n${examplesOf("Running in production")}`;
  expect(await shell(lines, cwd)).toMatchObject({ code: 0, out: expect.stringContaining("assay_sk_") });
});
