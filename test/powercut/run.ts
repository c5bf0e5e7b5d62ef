#!/usr/bin/env bun
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Type as T } from "@sinclair/typebox";
import { bodyOf } from "../../src/cli/client/http.ts";
import { powercutObstacle, simulator } from "./tools.ts";

/**
 * `bun run powercut [SCHEDULE…] [--states 4000] [--assay FILE] [--seed 1] [--keep]`: simulates power cuts. Each
 * schedule is a load on a real server whose writes, syncs and responses are traced. The power is cut at chosen points
 * of the trace, and each possible state of the disk is opened and checked for everything that had been acknowledged.
 * Two self-tests omit syncs and must find losses. `POWERCUT_STATES` also sets the number of cuts. Results are in
 * dist/powercut.
 */

const root = join(import.meta.dir, "..", "..");
const work = join(root, "dist", "powercut");
const tool = join(work, "tool");
const scratch = existsSync("/dev/shm") ? `/dev/shm/assay-powercut-${process.pid}` : join(work, "state");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    states: { type: "string", default: process.env.POWERCUT_STATES ?? "4000" },
    assay: { type: "string", default: join("dist", "assay") },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const assay = resolve(root, values.assay);

interface Schedule {
  readonly name: string;
  /**
   * The script that traces it, its scenario and the duration of its load in seconds; if absent, the trace of `of` is
   * reused.
   */
  readonly script?: readonly string[];
  /** The schedule whose trace is used. */
  readonly of?: string;
  /** The data folder on which it starts. */
  readonly base?: "none";
  readonly env?: Readonly<Record<string, string>>;
  readonly simulate: readonly string[];
  /** Percentage of all cuts. */
  readonly share: number;
  /** Omits syncs, so it must find losses. */
  readonly selfTest?: true;
}

/**
 * Minimum number of cuts. With fewer, a self-test, or a schedule with a single short critical moment, might find
 * nothing by chance.
 */
const leastCuts = { selfTest: 80, special: 60 };
/** Minimum number of answers. A schedule of a single run has two: its acceptance and a poll. */
const leastAnswers = 2;
/** Longer than any schedule takes. */
const hangsAfter = "15m";
/** Number of a schedule's violations printed, and their length; its JSON file has all of them. */
const shown = { violations: 4, characters: 240 };

/** Makes `times` syncs of a file fail, starting with number `from`. */
const failingSyncs = (file: string, from: number, times: number) => ({
  LD_PRELOAD: join(tool, "failsync.so"),
  FAIL_SUFFIX: file,
  FAIL_FROM: String(from),
  FAIL_TIMES: String(times),
});

const strict = ["--names", "posix", "--others", "posix"];
const schedules: readonly Schedule[] = [
  { name: "first-start", script: ["run.sh", "plain", "2"], base: "none", simulate: strict, share: 15 },
  { name: "plain", script: ["run.sh", "plain", "4"], simulate: [], share: 20 },
  { name: "kill", script: ["run.sh", "kill", "3"], simulate: [], share: 20 },
  { name: "beside", script: ["run.sh", "beside", "3"], simulate: [], share: 15 },
  { name: "reread", script: ["special.sh", "reread"], simulate: ["--only", "recovery"], share: 5 },
  { name: "orphan", script: ["special.sh", "orphan"], simulate: ["--only", "close"], share: 5 },
  {
    name: "failed-database-sync",
    script: ["run.sh", "plain", "6"],
    env: failingSyncs("assay.db", 1, 100_000),
    // If a checkpoint fails before the stop, the server exits at once without closing anything.
    simulate: ["--only", "answer,carry-over,close"],
    share: 10,
  },
  {
    name: "failed-log-sync",
    script: ["run.sh", "plain", "3"],
    env: failingSyncs("assay.db-wal", 20, 1),
    simulate: ["--only", "answer,commit,close"],
    share: 5,
  },
  { name: "without-log-syncs", of: "plain", simulate: ["--ignore-sync", "log"], share: 2.5, selfTest: true },
  { name: "without-database-syncs", of: "plain", simulate: ["--ignore-sync", "database"], share: 2.5, selfTest: true },
];

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Returns this process's environment without the product's settings. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_")));

/** Runs a program and its children to completion, with a timeout. */
async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = Bun.spawn(["timeout", "--signal=KILL", hangsAfter, ...command], {
    cwd: work,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...cleanEnvironment(), ...env },
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output: `${out}${err}` };
}

/**
 * Copies the scripts, replacing the library that fails fdatasync with one that fails either kind of sync, and extending
 * the load of `orphan`, which waits until the WAL is long enough for a checkpoint: forever on a slow machine.
 */
async function prepareTools(): Promise<void> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(simulator, tool, { recursive: true });
  const special = join(tool, "special.sh");
  const script = readFileSync(special, "utf8");
  rmSync(special);
  writeFileSync(special, script.replace("--seconds 4", "--seconds 12"), { mode: 0o755 });
  const source = join(import.meta.dir, "failsync.c");
  const { code, output } = await run([
    "gcc",
    "-shared",
    "-fPIC",
    "-O1",
    "-o",
    join(tool, "failsync.so"),
    source,
    "-ldl",
  ]);
  if (code !== 0) throw new Error(`failsync.c failed to compile: ${output}`);
}

const Result = T.Object({
  total: T.Integer(),
  violations: T.Integer(),
  kinds: T.Record(T.String(), T.Integer()),
  "by class": T.Record(T.String(), T.Integer()),
  "verified by assay": T.Integer(),
  first: T.Array(T.Object({ problems: T.Array(T.String()) })),
});

/** Copies the files at the end of a trace into one folder: the simulator looks each up by name only. */
function filesAtTheEnd(folder: string): string {
  const side = join(folder, "final");
  rmSync(side, { recursive: true, force: true });
  mkdirSync(side);
  for (const entry of readdirSync(join(folder, "data"), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(entry.parentPath, entry.name), join(side, entry.name));
  return side;
}

/** Cuts the power along a trace. Returns what was found, and what makes the result worthless, if anything does. */
async function simulate(schedule: Schedule, states: number) {
  const folder = join(work, schedule.of ?? schedule.name);
  const initial = schedule.base ?? join(folder, "initial");
  const result = join(work, `${schedule.name}.json`);
  const { output } = await run([
    ...["python3", join(import.meta.dir, "simulate.py"), tool, join(folder, "trace")],
    ...["--data", join(folder, "data"), "--initial", initial, "--final", filesAtTheEnd(folder)],
    ...["--states", String(states), "--seed", values.seed, "--json", result, "--work", scratch],
    ...(schedule.selfTest ? [] : ["--assay", assay, "--verify", String(Math.ceil(states / 20))]),
    ...(values.keep ? ["--keep", join(work, `${schedule.name}-kept`)] : []),
    ...schedule.simulate,
  ]);
  if (!existsSync(result)) return { worthless: output.trimEnd() };
  const found = bodyOf(Result, readFileSync(result, "utf8"));
  // The trace does not show whether its last write was carried out, so the final files prove nothing.
  const [died] = /^a process ended in the middle of a write.*$/m.exec(output) ?? [];
  const misread = output.split("\n").filter((line) => line.startsWith("final ") && line.includes("DIFFERS"));
  if (misread.length > 0 && !died) return { worthless: `the trace was misread: ${misread.join(", ")}` };
  if (found.total === 0) return { worthless: "no moment to cut the power" };
  const [, answers = "0"] = /, (\d+) answers with a run/.exec(output) ?? [];
  if (Number(answers) < leastAnswers) return { worthless: `only ${answers} answers with a run` };
  return { found, note: died ? `; ${died}` : "" };
}

/** Checks that the syncs that a schedule makes fail did fail. */
function hadFailures({ name, env }: Schedule): boolean {
  if (!env) return true;
  const logs = ["log", "server.log"].map((file) => join(work, name, file)).filter((file) => existsSync(file));
  return logs.some((file) => readFileSync(file, "utf8").includes("failsync: EIO"));
}

const leastFor = ({ selfTest, env, script }: Schedule): number => {
  if (selfTest) return leastCuts.selfTest;
  return env || script?.[0] === "special.sh" ? leastCuts.special : 1;
};

/** Traces and cuts one schedule, and prints its line. Returns whether the result is as required. */
async function attempt(schedule: Schedule): Promise<boolean> {
  const { name, script, base = join(work, "first-start", "data"), env, share, selfTest } = schedule;
  const print = (good: boolean, words: string): boolean => {
    console.log(`${good ? "ok  " : "FAIL"} ${name.padEnd(24)} ${words}`);
    return good;
  };
  if (script) {
    const [file = "", scenario = "", ...seconds] = script;
    const { code, output } = await run([join(tool, file), scenario, assay, base, join(work, name), ...seconds], env);
    if (code !== 0) return print(false, `exited with ${code}: ${output.trimEnd()}`);
    if (!hadFailures(schedule)) return print(false, "no sync failed");
  }
  const cuts = Math.max(leastFor(schedule), Math.ceil((Number(values.states) * share) / 100));
  const { found, worthless, note } = await simulate(schedule, cuts);
  if (!found) return print(false, worthless);
  const { total, violations, kinds } = found;
  const verified = selfTest ? "" : `, ${found["verified by assay"]} of them verified by assay`;
  const classes = violations > 0 ? ` ${JSON.stringify(kinds)} in ${JSON.stringify(found["by class"])}` : "";
  const good = selfTest ? violations > 0 : violations === 0;
  print(good, `${total} cuts, ${violations} violations${classes}${verified}${note}`);
  const problems = new Set(found.first.map((violation) => violation.problems.join("; ").slice(0, shown.characters)));
  if (!good) for (const problem of [...problems].slice(0, shown.violations)) console.log(`     ${problem}`);
  return good;
}

/** Returns the requested schedules, preceded by those whose folder or trace they need. */
function chosen(): readonly Schedule[] {
  if (positionals.length === 0) return schedules;
  const unknown = positionals.filter((name) => !schedules.some((schedule) => schedule.name === name));
  if (unknown.length > 0) throw new Error(`no schedule ${unknown.join(", ")}`);
  const needed = new Set(["first-start", ...positionals]);
  for (const { name, of } of schedules) if (of && needed.has(name)) needed.add(of);
  return schedules.filter(({ name }) => needed.has(name));
}

const obstacle = powercutObstacle();
if (obstacle) throw new Error(`power cuts can't be simulated here: ${obstacle}`);
if (!existsSync(assay)) throw new Error(`${assay} not found; run bun run build`);
await prepareTools();
const count = { passed: 0, failed: 0 };
for (const schedule of chosen()) {
  const good = await attempt(schedule).catch((error: unknown) => {
    console.log(`FAIL ${schedule.name.padEnd(24)} ${error instanceof Error ? error.message : String(error)}`);
    return false;
  });
  count[good ? "passed" : "failed"]++;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed > 0 ? 1 : 0;
