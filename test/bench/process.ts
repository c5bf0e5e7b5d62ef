import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";

/** Shared by the benches: starting servers, and reading process figures from the system. */

export const root = join(import.meta.dir, "..", "..");
/** Bench files are on the project's own disk: in a memory-backed temporary folder, every commit would be free. */
const scratch = join(root, "dist", "bench");
/** The program measured: the executable named by UNDER_TEST, else the one just built. */
export const executable = resolve(
  root,
  process.env.UNDER_TEST ?? join("dist", process.platform === "win32" ? "assay.exe" : "assay"),
);

/** Creates an empty scratch folder. */
export function freshFolder(name: string): string {
  const path = join(scratch, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Runs a program to completion; throws with its output if it fails. */
export async function run(command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...env },
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${out}${err}`);
  return out;
}

/** Deletes the scratch folders. */
export const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true });

export async function buildIfMissing(): Promise<void> {
  if (!existsSync(executable)) await run([process.execPath, "build.ts"]);
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = probe;
  await probe.stop(true);
  return port;
}

export interface Listening {
  readonly pid: number;
  /** Time from the start of the process to its first response at `/health`, in ms. */
  readonly startedMs: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until it responds. */
export async function listen(
  command: readonly string[],
  port: number,
  { env = {}, cwd = scratch }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Listening> {
  const started = performance.now();
  const child: Subprocess = Bun.spawn([...command], {
    cwd,
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, PORT: String(port), ...env },
  });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) break;
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} exited with ${child.exitCode}`);
    await Bun.sleep(0.5);
  }
  return {
    pid: child.pid,
    startedMs: performance.now() - started,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Reads a process's file in /proc; empty if the system has no such folder. */
const procFile = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

/** Returns the processor time used so far, in ms. Linux counts it in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const [, , , , , , , , , , , user = Number.NaN, system = Number.NaN] = procFile(pid, "stat")
    .replace(/^.*\) /, "")
    .split(" ")
    .map(Number);
  return (user + system) * 10;
}

/** Returns the current and the peak resident memory, in MiB. */
export function memoryMiB(pid: number): { now: number; peak: number } {
  const status = procFile(pid, "status");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Measures both subjects alternately, swapping their order every round; returns their figures by round. */
export async function byTurns<S, F>(
  rounds: number,
  [first, second]: readonly [S, S],
  measure: (subject: S) => Promise<F>,
): Promise<readonly [F[], F[]]> {
  const figures: readonly [F[], F[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      figures[i].push(await measure(i === 0 ? first : second));
  return figures;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
