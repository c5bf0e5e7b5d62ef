import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

const root = join(import.meta.dir, "..", "..");

/** Starts the demo as a user would, and stops it at the end of its scope. */
function tour(...args: string[]) {
  const child = Bun.spawn([process.execPath, join(root, "src", "cli", "demo-tour.ts"), ...args], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { child, err: child.stderr.text(), [Symbol.asyncDispose]: stop };
}

/** Reads a stream, passing the text so far to `heard` whenever it grows. */
async function gather(stream: ReadableStream<Uint8Array>, heard: (all: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  for await (const bytes of stream) {
    all += decoder.decode(bytes, { stream: true });
    heard(all);
  }
  return all;
}

/** Returns the commands printed at the end of the tour, as one script. */
function commandsIn(text: string): string[] {
  const [, after = ""] = text.split("What to try next, in another terminal\n");
  const [commands = ""] = after.split("\n\n");
  return commands.split("\n").filter((line) => !line.startsWith("curl") || Bun.which("curl") !== null);
}

test("the demo walks one run through the product loop, its commands work, and Ctrl-C ends it and its server", async () => {
  const data = join(mkdtempSync(join(tmpdir(), "assay-tour-")), "data");
  try {
    // The tour passes its port to a server, so a port reserved by the system here might be taken in the meantime.
    await using started = tour("--data", data, "--port", String(await freePort()));
    const { child, err } = started;
    const serving = Promise.withResolvers<string>();
    const told = gather(child.stdout, (all) => /Stop it with Ctrl-C/.test(all) && serving.resolve(all));
    told.then((all) => serving.reject(new Error(all)));
    const text = await serving.promise.catch(async (error: Error) => {
      throw new Error(error.message + (await err));
    });

    for (const step of ["1. Discover", "2. Inspect", "3. Quote", "4. Run", "5. Reconcile"])
      expect(text).toContain(step);
    for (const request of [
      "GET /v1/capabilities",
      "GET /v1/capabilities/exa-filter",
      "POST /v1/use-cases/european-market-entry-pack/quote",
      "POST /v1/capabilities/exa-filter/runs",
      "GET /v1/runs/",
      "GET /.well-known/jwks.json",
    ])
      expect(text).toContain(`→ ${request}`);
    expect(text).toContain("+ Theft of the insured bicycle is covered up to CZK 40,000.");
    expect(text).toContain("- Damage caused by wear and tear is covered as well.");
    expect(text).toContain("valid: ES256");
    const credentials = join(data, "demo-credentials.json");
    expect(text).toContain(credentials);
    expect(text).not.toContain(JSON.parse(readFileSync(credentials, "utf8")).firms[0].keys.all);
    expect(statSync(credentials).mode & 0o077).toBe(0);

    const commands = commandsIn(text);
    expect(commands.length).toBeGreaterThan(4);
    const script = Bun.spawn(["sh", "-e", "-c", commands.join("\n")], { cwd: root, stdout: "pipe", stderr: "pipe" });
    const [printed, complaints, code] = [await script.stdout.text(), await script.stderr.text(), await script.exited];
    expect(`${code} ${complaints}`).not.toMatch(/^[^0]|assay:/);
    expect(printed).toContain("insurance-assistant");
    expect(printed).toContain("at most 500 credits");

    const baseUrl = /Serving at (\S+)\. Stop/.exec(text)?.[1] ?? "";
    expect((await fetch(`${baseUrl}/health`, { keepalive: false })).status).toBe(200);
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    expect(await err).toBe("");
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();

    await using again = tour("--data", data, "--port", String(await freePort()), "--exit");
    expect(await again.child.stdout.text()).toContain("5. Reconcile");
    expect([await again.child.exited, await again.err]).toEqual([0, ""]);
  } finally {
    rmSync(join(data, ".."), { recursive: true });
  }
});

test("a port in use, a folder of another installation and an unknown flag are errors with a hint", async () => {
  await using busy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  await using taken = tour("--port", String(busy.port));
  expect(await taken.child.exited).toBe(1);
  expect(await taken.err).toContain("--port 8788");
  await using foreign = tour("--port", "0", "--data", import.meta.dir);
  expect(await foreign.child.exited).toBe(1);
  expect(await foreign.err).toContain("Name an empty folder with --data");
  for (const args of [["--nonsense"], ["--port", "many"]]) {
    await using refused = tour(...args);
    expect(await refused.child.exited).toBe(2);
    expect(await refused.err).toContain("bun run demo [--data FOLDER]");
  }
});
