import { existsSync } from "node:fs";
import { join } from "node:path";
import { startServer, temporaryFolder } from "../blackbox/server.ts";
import { unbuilt, unbuiltPaths } from "./not-built.ts";

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

interface Excuse {
  readonly what: string;
  covers(check: Check): boolean;
}

const excuses: readonly Excuse[] = [
  ...unbuiltPaths.map((path) => {
    const named = new RegExp(`(^| )${escaped(path)}(?![\\w/{-])`);
    return { what: path, covers: ({ name, why = "" }: Check) => named.test(name) && absent.test(why) };
  }),
  ...unbuilt.map(({ what, name, why }) => ({
    what,
    covers: (check: Check) => name.test(check.name) && why.test(check.why ?? ""),
  })),
];

export interface Conformance {
  readonly passed: number;
  /** Checks that failed for want of what is known not to be built. */
  readonly awaited: number;
  /** A line for each failure that nothing excuses, and for each excuse that nothing needs any more. */
  readonly problems: readonly string[];
}

/** Sets the list of what is not built against what failed. */
export function judge(checks: readonly Check[]): Conformance {
  const failed = checks.filter(({ state }) => state === "failed");
  const inexcusable = failed.filter((check) => !excuses.some((excuse) => excuse.covers(check)));
  const needless = excuses.filter((excuse) => !failed.some((check) => excuse.covers(check)));
  return {
    passed: checks.filter(({ state }) => state === "passed").length,
    awaited: failed.length - inexcusable.length,
    problems: [
      ...inexcusable.map(({ section, name, why }) => `[${section}] ${name}: ${why}`),
      ...needless.map(
        ({ what }) => `test/support/not-built.ts: nothing fails any more for want of "${what}": take it off the list`,
      ),
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
