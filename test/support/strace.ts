import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** What a command asked of the system, in order, where strace is at hand. */

/** One call, with the lines of the trace at which it began and had ended. */
export interface SystemCall {
  readonly name: string;
  readonly args: string;
  readonly began: number;
  readonly ended: number;
}

const watched = "openat,rename,renameat,renameat2,link,linkat,mkdir,mkdirat,fsync,fdatasync,pwrite64,write";

/** How the first of two lines ends; the space is no part of the call. */
const unfinished = " <unfinished ...>";

/** The command that traces another one into `file`; nothing where strace can't be used here. */
export function tracerInto(file: string): readonly string[] {
  const strace = Bun.which("strace");
  if (!strace || Bun.spawnSync([strace, "-o", "/dev/null", "true"]).exitCode !== 0) return [];
  return [strace, "-f", "-y", "-s", "0", "-e", `trace=${watched}`, "-o", file];
}

/** Reads a trace. A call that another thread's calls interrupt is on two lines. */
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
 * What is wrong with how a file came to its name: it must be written beside it and synced, then put in its place, then its
 * folder synced. Empty when nothing is.
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
    // It may have come to that name in the same way.
    ...(isMade ? [] : orderProblems(calls, draft)),
  ];
}
