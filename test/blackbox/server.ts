import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { bodyOf } from "../../src/cli/client/http.ts";
import { commandLine } from "../support/under-test.ts";

/** The settings of whoever runs the tests are not those of what is tried. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_")));

/** A folder to put on PATH, in which what is tried is called `assay`. */
export function commandFolder(parent: string): string {
  const folder = join(parent, "bin");
  const command = commandLine([]).map((word) => `'${word}'`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "assay"), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** What a command that has ended told. */
export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command of the product to its end. `cwd` and `env` add to what it would have had. */
export async function assay(
  args: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Told> {
  const child = Bun.spawn(commandLine(args), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...cleanEnvironment(), ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, out, err };
}

/** A folder that is gone after `dispose`. */
export function temporaryFolder(name: string): { readonly path: string; dispose(): void } {
  const path = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** A server as a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** Its address, once it listens; rejects with its last words when it ends before. */
  readonly ready: Promise<string>;
  /** Sends the signal, waits for the end, and answers the exit code; null after a signal that it did not survive. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<Bun.Subprocess>();

/** Ends every server that still runs: those of tests that failed before they ended their own. */
export async function endServers(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
}

/** How often it is looked whether the server listens, in ms. */
const pollMs = 2;

/** The address that the server with this pid wrote into its data folder. */
function addressOf(data: string, pid: number): string | undefined {
  try {
    const told: { base_url?: string; pid?: number } = JSON.parse(readFileSync(join(data, "server.json"), "utf8"));
    return told.pid === pid ? told.base_url : undefined;
  } catch {
    return undefined;
  }
}

/** Starts `assay serve` on a free port. Its log goes to a file beside the data folder. */
export function startServer(data: string, flags: readonly string[] = ["--demo", "--bench"]): ServerProcess {
  const logFile = `${data}.log`;
  const log = openSync(logFile, "a");
  const child = Bun.spawn(commandLine(["serve", "--data", data, "--port", "0", ...flags]), {
    stdio: ["ignore", log, log],
    env: cleanEnvironment(),
  });
  closeSync(log);
  running.add(child);
  void child.exited.then(() => running.delete(child));
  const listening = async (): Promise<string> => {
    while (child.exitCode === null && child.signalCode === null) {
      const address = addressOf(data, child.pid);
      if (address !== undefined) return address;
      await Bun.sleep(pollMs);
    }
    const words = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n");
    throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}:\n${words}`);
  };
  const ready = listening();
  // Whoever waits hears of it; a server that is killed while it starts is no error.
  ready.catch(() => undefined);
  return {
    pid: child.pid,
    ready,
    async end(signal) {
      child.kill(signal);
      await child.exited;
      return child.exitCode;
    },
  };
}

const DemoCredentials = T.Object({
  firms: T.Array(
    T.Object({
      name: T.String(),
      keys: T.Object({ all: T.String(), docs_only: T.String(), expired: T.String(), revoked: T.String() }),
    }),
    { minItems: 2 },
  ),
});

/** The keys of the demo's first firm, which may do everything. */
export function demoKeys(data: string) {
  const { firms } = bodyOf(DemoCredentials, readFileSync(join(data, "demo-credentials.json"), "utf8"));
  const [first] = firms;
  if (!first) throw new Error("the demo has a firm");
  return first.keys;
}

/** The keys of the firms that may run `bench-noop`. */
export const benchKeys = (data: string): string[] =>
  readFileSync(join(data, "bench-keys.txt"), "utf8").trim().split("\n");
