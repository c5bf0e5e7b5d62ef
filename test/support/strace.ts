import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** The system calls of a command, in order, if strace is available. */

/** A system call, with the trace lines at which it started and returned. */
export interface SystemCall {
  readonly name: string;
  readonly args: string;
  readonly began: number;
  readonly ended: number;
}

const watched = "openat,rename,renameat,renameat2,link,linkat,mkdir,mkdirat,fsync,fdatasync,pwrite64,write";

/** The suffix of a call's first line if it is interrupted; the space is not part of the call. */
const unfinished = " <unfinished ...>";

/** Returns the command that traces another one into `file`; empty if strace can't be used here. */
export function tracerInto(file: string): readonly string[] {
  const strace = Bun.which("strace");
  if (!strace || Bun.spawnSync([strace, "-o", "/dev/null", "true"]).exitCode !== 0) return [];
  return [strace, "-f", "-y", "-s", "0", "-e", `trace=${watched}`, "-o", file];
}

/** Parses a trace. A call interrupted by another thread's calls takes two lines. */
export function systemCalls(file: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { name: string; args: string; began: number }>();
  for (const [at, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, resumed, tail = ""] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    const [, name = "", args = ""] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    const begun = open.get(pid);
    if (resumed && begun) calls.push({ ...begun, args: begun.args + tail, ended: at });
    else if (args.endsWith(unfinished)) open.set(pid, { name, args: args.slice(0, -unfinished.length), began: at });
    else if (name) calls.push({ name, args, began: at, ended: at });
  }
  return calls.filter(({ args }) => !/ = -1 E[A-Z]+/.test(args)).sort((a, b) => a.began - b.began);
}

/**
 * Returns what is wrong with the order of a file's creation: it must be written to a temporary file and synced, then
 * renamed into place, then its folder synced. Empty if the order is correct.
 */
export function orderProblems(calls: readonly SystemCall[], path: string): string[] {
  const name = basename(path);
  const isTarget = (args: string) => /"([^"]+)"[^"]*$/.exec(args)?.[1] === path;
  const placed = calls.findLast(({ name: call, args }) => /^(rename|link)/.test(call) && isTarget(args));
  if (!placed) return [`${name} was not put in its place`];
  const [, draft = ""] = /"([^"]+)"/.exec(placed.args) ?? [];
  const of = (file: string, pattern: RegExp) =>
    calls.filter(({ name: call, args }) => pattern.test(call) && args.startsWith(`${args.split("<")[0]}<${file}>`));
  const written = of(draft, /write/);
  const synced = of(draft, /^f(data)?sync$/).filter(({ ended }) => ended < placed.began);
  const lastSync = synced.at(-1);
  const folder = of(dirname(path), /^fsync$/).find(({ began }) => began > placed.ended);
  const opened = new RegExp(`"${RegExp.escape(draft)}", [A-Z_|]*O_EXCL[A-Z_|]*, 0[0-7]+\\)`);
  const isMade = calls.some(({ name: call, args }) => call === "openat" && opened.test(args));
  return [
    ...(dirname(draft) === dirname(path) ? [] : [`${name} came from ${draft}`]),
    ...(lastSync ? [] : [`${name} was not synced before it had its name`]),
    ...(written.every(({ ended }) => lastSync && ended < lastSync.began) ? [] : [`${name} was written after its sync`]),
    ...(folder ? [] : [`the folder of ${name} was not synced afterwards`]),
    // The temporary file may have been created in the same way.
    ...(isMade ? [] : orderProblems(calls, draft)),
  ];
}
