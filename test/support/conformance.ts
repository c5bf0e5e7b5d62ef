import { existsSync } from "node:fs";
import { join } from "node:path";
import { startServer, temporaryFolder } from "../blackbox/server.ts";
import { deviations } from "./deviations.ts";
import { type Failing, unbuilt, unbuiltPaths } from "./not-built.ts";

/** The platform's conformance suite, which lives beside the repository. */
const suite = join(import.meta.dir, "..", "..", "..", "shared", "conformance", "run.ts");
export const hasSuite = existsSync(suite);

interface Check {
  readonly section: string;
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly why?: string;
}

/** How a check fails that found nothing at its path. */
const absent = /is not in the OpenAPI document$|^not built$|"code":"not_found"|has no seeded/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const lists = { unbuilt: "test/support/not-built.ts", meant: "test/support/deviations.ts" } as const;

interface Excuse {
  readonly list: keyof typeof lists;
  readonly what: string;
  covers(check: Check): boolean;
}

const excuse = (list: Excuse["list"], { what, name, why }: Failing): Excuse => ({
  ...{ list, what },
  covers: (check) => name.test(check.name) && why.test(check.why ?? ""),
});

const ofPath = (path: string): Failing => ({
  ...{ what: path, why: absent },
  name: new RegExp(`(^| )${escaped(path)}(?![\\w/{-])`),
});

const excuses: readonly Excuse[] = [
  ...[...unbuiltPaths.map(ofPath), ...unbuilt].map((failing) => excuse("unbuilt", failing)),
  ...deviations.map((deviation) => excuse("meant", deviation)),
];

export interface Conformance {
  readonly passed: number;
  /** Checks that failed for want of what is known not to be built. */
  readonly awaited: number;
  /** Checks that failed where the API deviates and means to. */
  readonly deviating: number;
  /** A line for each failure that nothing excuses, and for each excuse that nothing needs any more. */
  readonly problems: readonly string[];
}

/** Sets the lists of what is not built and of what deviates against what failed. */
export function judge(checks: readonly Check[]): Conformance {
  const failed = checks.filter(({ state }) => state === "failed");
  const excused = Map.groupBy(failed, (check) => excuses.find(({ covers }) => covers(check))?.list);
  const needless = excuses.filter(({ covers }) => !failed.some(covers));
  return {
    passed: checks.filter(({ state }) => state === "passed").length,
    awaited: excused.get("unbuilt")?.length ?? 0,
    deviating: excused.get("meant")?.length ?? 0,
    problems: [
      ...(excused.get(undefined) ?? []).map(({ section, name, why }) => `[${section}] ${name}: ${why}`),
      ...needless.map(({ list, what }) => `${lists[list]}: nothing fails any more by "${what}": take it off the list`),
    ],
  };
}

/** Runs the suite against a demo of its own. */
export async function conformance(): Promise<Conformance> {
  const folder = temporaryFolder("conformance");
  const data = join(folder.path, "data");
  const server = startServer(data, ["--demo"]);
  try {
    const credentials = join(data, "demo-credentials.json");
    const base = await server.ready;
    const child = Bun.spawn(
      [process.execPath, "--install=fallback", suite, "--base", base, "--credentials", credentials, "--json"],
      { cwd: folder.path, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (!out.startsWith("{")) throw new Error(`the suite did not report: ${out}${err}`);
    const told: { checks: Check[] } = JSON.parse(out);
    return judge(told.checks);
  } finally {
    await server.end("SIGKILL");
    folder.dispose();
  }
}
