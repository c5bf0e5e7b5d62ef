import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { bodyOf } from "../../src/cli/client/http.ts";
import { commandLine } from "../support/under-test.ts";

/** Returns this process's environment without the product's settings. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_")));

/** Creates a folder for PATH, in which the program under test is called `assay`. */
export function commandFolder(parent: string): string {
  const folder = join(parent, "bin");
  const command = commandLine([]).map((word) => `'${word}'`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "assay"), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** The output of a finished command. */
export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command to completion. `cwd` and `env` extend its defaults. */
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

/** Creates a temporary folder, deleted by `dispose`. */
export function temporaryFolder(name: string): { readonly path: string; dispose(): void } {
  const path = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** A server in a separate process. */
export interface ServerProcess {
  readonly pid: number;
  /** The server's address, once it listens; rejects with its last log lines if it exits before. */
  readonly ready: Promise<string>;
  /** Sends the signal, waits for the exit and returns the exit code, or null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<Bun.Subprocess>();

/** Kills every server that still runs, left by tests that failed before they stopped it. */
export async function endServers(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
}

/** Interval between checks whether the server listens, in ms. */
const pollMs = 2;

/** Returns the address that the server with this pid wrote into its data folder. */
function addressOf(data: string, pid: number): string | undefined {
  try {
    const told: { base_url?: string; pid?: number } = JSON.parse(readFileSync(join(data, "server.json"), "utf8"));
    return told.pid === pid ? told.base_url : undefined;
  } catch {
    return undefined;
  }
}

/** Starts `assay serve` on a free port. Its log goes to a file next to the data folder. */
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
    throw new Error(`the server exited with ${child.exitCode ?? child.signalCode}:\n${words}`);
  };
  const ready = listening();
  // Callers that await it see the rejection; a server killed during its start is not an error.
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

/** Returns the keys of the demo's first firm, which have every scope. */
export function demoKeys(data: string) {
  const { firms } = bodyOf(DemoCredentials, readFileSync(join(data, "demo-credentials.json"), "utf8"));
  const [first] = firms;
  if (!first) throw new Error("the demo has a firm");
  return first.keys;
}

/** Returns the keys of the firms that may run `bench-noop`. */
export const benchKeys = (data: string): string[] =>
  readFileSync(join(data, "bench-keys.txt"), "utf8").trim().split("\n");
