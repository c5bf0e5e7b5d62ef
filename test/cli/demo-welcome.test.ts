import { expect, test } from "bun:test";
import { join } from "node:path";
import { welcomeToDemo } from "../../src/cli/demo-welcome.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { Installation } from "../support/operator.ts";

test("a demo prints sign-ins and a working call on a terminal, and only the file name in a log", async () => {
  await using place = new Installation();
  const server = await place.serveDemo();
  const file = join(place.data, "demo-credentials.json");
  await server.says(file);
  const { firms } = await Bun.file(file).json();
  const [{ email, password }] = firms[0].users;
  for (const secret of [password, firms[0].keys.all]) expect(server.log()).not.toContain(secret);

  const lines: string[] = [];
  const terminal = { runtime: systemRuntime, env: {}, terminal: true, columns: 80, errColumns: 80, liveRows: 0 };
  const io = {
    ...terminal,
    out: () => {},
    err: (line: string) => lines.push(line),
    stdin: async () => "",
    ask: undefined,
  };
  const log = createLog(systemRuntime, "error");
  await welcomeToDemo({ io, log, baseUrl: server.url, dataDir: place.data });
  expect(lines).toContain(`In the browser: ${server.url}/console`);
  expect(lines).toContain(`  Sign in as ${email} with ${password}`);
  expect(lines).toContain(`More people and keys: ${file}`);
  const command = lines.find((line) => line.includes("curl")) ?? "false";
  const called = Bun.spawn(["sh", "-c", command], { stdout: "pipe", stderr: "ignore" });
  expect(JSON.parse(await called.stdout.text())).toMatchObject({ trust_state: expect.any(String) });
});
