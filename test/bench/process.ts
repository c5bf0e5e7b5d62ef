import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";

/** What the benches share: programs that listen, and what the system tells of them. */

export const root = join(import.meta.dir, "..", "..");
/** Bench files lie on the project's own disk: a temporary folder in memory would make every commit free. */
const scratch = join(root, "dist", "bench");
/** What is measured: the executable that UNDER_TEST names, else the one just built. */
export const executable = resolve(
  root,
  process.env.UNDER_TEST ?? join("dist", process.platform === "win32" ? "assay.exe" : "assay"),
);

/** An empty scratch folder of that name. */
export function freshFolder(name: string): string {
  const path = join(scratch, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Runs a program to its end; throws with its output when it fails. */
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

/** Leaves nothing behind. */
export const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true });

export async function buildIfMissing(): Promise<void> {
  if (!existsSync(executable)) await run([process.execPath, "build.ts"]);
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = probe;
  await probe.stop(true);
  return port;
}

export interface Listening {
  readonly pid: number;
  /** From the start of the process to its first answer at `/health`, in ms. */
  readonly startedMs: number;
  stop(): Promise<void>;
}

/** Starts a program, and waits until it answers. */
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
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended with ${child.exitCode}`);
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

/** A process's figures in /proc; none where the system has no such folder. */
const procFile = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

/** Processor time used so far, in ms. Linux counts it in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const [, , , , , , , , , , , user = Number.NaN, system = Number.NaN] = procFile(pid, "stat")
    .replace(/^.*\) /, "")
    .split(" ")
    .map(Number);
  return (user + system) * 10;
}

/** Memory in MiB: what is resident now, and the most that was. */
export function memoryMiB(pid: number): { now: number; peak: number } {
  const status = procFile(pid, "status");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Measures both by turns, each first in every other round; answers their figures, round by round. */
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
