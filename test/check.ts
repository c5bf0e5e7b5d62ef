#!/usr/bin/env bun
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { powercutObstacle } from "./powercut/tools.ts";
import type { Conformance } from "./support/conformance.ts";

/**
 * `bun run check [PHASE…]`: everything that must hold before a change is merged. Each phase prints a line; the last
 * line is `N passed, N failed`. Needs only this process's own Bun.
 */

const root = join(import.meta.dir, "..");
const dist = join(root, "dist");
const executable = join("dist", process.platform === "win32" ? "assay.exe" : "assay");
const minute = 60_000;
/** Timeout of a phase, in milliseconds; only a hang reaches it. */
const phaseTimeoutMs = 45 * minute;
/** Timeout of a test, in milliseconds; long enough for a busy machine. */
const testTimeoutMs = 10 * minute;
/** Number of simulated power cuts: a few by default, all of them with POWERCUT=full, which takes long. */
const powercuts =
  process.env.POWERCUT === "full"
    ? { states: 4_000, timeoutMs: 60 * minute }
    : { states: 200, timeoutMs: phaseTimeoutMs };

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Additional information, printed after the numbers. */
  readonly note?: string;
  /** Printed if something failed. */
  readonly output?: string;
}

interface Phase {
  readonly name: string;
  run(): Promise<Outcome>;
  /** Whether the phases after it depend on it. */
  readonly needed?: true;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to completion. The project's own tools come first on PATH. */
async function spawn(
  command: readonly string[],
  env: Record<string, string> = {},
  timeout = phaseTimeoutMs,
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout,
    killSignal: "SIGKILL",
    env: { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`, NO_COLOR: "1", ...env },
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output: `${out}${err}` };
}

/** Returns a phase that passes or fails as a whole. */
const whole = (name: string, command: readonly string[], needed?: true): Phase => ({
  name,
  ...(needed && { needed }),
  async run() {
    const { code, output } = await spawn(command);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
  },
});

/** Returns the numbers of a JUnit report, or `undefined` if there is none. */
function counted(file: string): { tests: number; failures: number; skipped: number } | undefined {
  try {
    const [head = ""] = /<testsuites [^>]*>/.exec(readFileSync(file, "utf8")) ?? [];
    const read = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
    return { tests: read("tests"), failures: read("failures"), skipped: read("skipped") };
  } catch {
    return undefined;
  }
}

/**
 * Returns a phase of bun:test files. Their numbers count; a run that fails without a failed test counts as one failure.
 */
const tests = (name: string, files: readonly string[], envOf: () => Record<string, string> = () => ({})): Phase => ({
  name,
  async run() {
    const report = join(dist, `check-${name}.xml`);
    mkdirSync(dist, { recursive: true });
    rmSync(report, { force: true });
    // Files wait for disks, processes and browsers, so running them in parallel takes two thirds of the time.
    const beside = files.length !== 1 ? [`--parallel=${availableParallelism()}`, "--no-isolate"] : [];
    const flags = ["--timeout", String(testTimeoutMs), "--reporter=junit", `--reporter-outfile=${report}`, ...beside];
    const { code, output } = await spawn([process.execPath, "test", ...flags, ...files], envOf());
    const { tests = 0, failures = 0, skipped = 0 } = counted(report) ?? {};
    const failed = failures > 0 || (code === 0 && tests > 0) ? failures : 1;
    return { passed: tests - failures - skipped, failed, output, ...(skipped > 0 && { note: `${skipped} skipped` }) };
  },
});

const conformancePhase: Phase = {
  name: "conformance",
  async run() {
    process.env.UNDER_TEST = executable;
    const { conformance, hasSuite } = await import("./support/conformance.ts");
    if (!hasSuite) return { passed: 0, failed: 0, note: "not run: ../shared/conformance not found" };
    const { passed, deviating, problems }: Conformance = await conformance();
    const note = `${deviating} intended deviations, listed in test/support/deviations.ts`;
    return { passed, failed: problems.length, note, output: problems.join("\n") };
  },
};

const powercutPhase: Phase = {
  name: "powercut",
  async run() {
    const obstacle = powercutObstacle();
    if (obstacle) return { passed: 0, failed: 0, note: `not run: ${obstacle}` };
    const { states, timeoutMs } = powercuts;
    const command = [process.execPath, "test/powercut/run.ts", "--states", String(states)];
    const { output } = await spawn(command, {}, timeoutMs);
    const [, passed = "0", failed = "1"] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
    return { passed: Number(passed), failed: Number(failed), output, note: `${states} cuts` };
  },
};

const compiled = () => ({ UNDER_TEST: executable });
let isBuilt = false;
const build = whole("build", [process.execPath, "build.ts"], true);
const phases: readonly Phase[] = [
  whole("install", [process.execPath, "install", "--frozen-lockfile"], true),
  whole("browser", [process.execPath, "test/browser/install.ts"]),
  whole("types", ["tsc", "--noEmit"]),
  whole("console", ["tsc", "--noEmit", "--project", "src/surfaces/console/app"]),
  whole("lint", ["biome", "check", "."]),
  whole("patterns", [process.execPath, "test/patterns.ts"]),
  {
    ...build,
    async run() {
      const outcome = await build.run();
      isBuilt = outcome.failed === 0;
      return outcome;
    },
  },
  // Commands and servers in separate processes use the executable, which starts in a third of the time. One from an
  // earlier build would prove nothing about these sources.
  tests("tests", [], () => (isBuilt ? compiled() : {})),
  tests("black-box", ["./test/blackbox/executable.ts", "./test/blackbox/readme.ts"], compiled),
  tests("clients", ["./test/clients/generated.ts"]),
  tests(
    "crash",
    ["kills", "recovery", "jobs", "approvals", "validations", "packs"].map((name) => `./test/crash/${name}.ts`),
    compiled,
  ),
  powercutPhase,
  conformancePhase,
];

async function runPhase(phase: Phase): Promise<Outcome> {
  const started = performance.now();
  const outcome = await phase
    .run()
    .catch((error: unknown): Outcome => ({ passed: 0, failed: 1, output: String(error) }));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const note = outcome.note ? ` (${outcome.note})` : "";
  if (outcome.failed > 0 && outcome.output) console.log(outcome.output.trimEnd());
  const numbers = `${outcome.passed} passed, ${outcome.failed} failed`;
  console.log(`${phase.name.padEnd(12)} ${`${seconds} s`.padStart(8)}   ${numbers}${note}`);
  return outcome;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !phases.some((phase) => phase.name === name));
if (unknown.length > 0)
  throw new Error(`no phase ${unknown.join(", ")}; there are ${phases.map((p) => p.name).join(", ")}`);
const pinned = manifest.devDependencies.bun;
if (Bun.version !== pinned) throw new Error(`this is Bun ${Bun.version}: run npx --yes bun@${pinned} run check`);

console.log(
  `assay ${manifest.version}, Bun ${Bun.version}, ${process.platform}-${process.arch}, ${availableParallelism()} cores`,
);
const total = { passed: 0, failed: 0 };
for (const phase of phases) {
  if (asked.length > 0 && !asked.includes(phase.name)) continue;
  const { passed, failed } = await runPhase(phase);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0 && phase.needed) break;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
