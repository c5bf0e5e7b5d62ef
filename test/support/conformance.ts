import { existsSync } from "node:fs";
import { join } from "node:path";
import { startServer, temporaryFolder } from "../blackbox/server.ts";
import { type Deviation, deviations } from "./deviations.ts";

/** The platform's conformance suite, in a folder next to the repository. */
const suite = join(import.meta.dir, "..", "..", "..", "shared", "conformance", "run.ts");
export const hasSuite = existsSync(suite);

interface Check {
  readonly section: string;
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly why?: string;
}

const covers = ({ name, why }: Deviation, check: Check): boolean => name.test(check.name) && why.test(check.why ?? "");

export interface Conformance {
  readonly passed: number;
  /** Failed checks that are listed as intended deviations. */
  readonly deviating: number;
  /** A line for each failure that no deviation covers, and for each deviation that covers no failure. */
  readonly problems: readonly string[];
}

/** Compares the failed checks with the list of deviations. */
export function judge(checks: readonly Check[]): Conformance {
  const failed = checks.filter(({ state }) => state === "failed");
  const isMeant = (check: Check) => deviations.some((deviation) => covers(deviation, check));
  const unmeant = failed.filter((check) => !isMeant(check));
  const needless = deviations.filter((deviation) => !failed.some((check) => covers(deviation, check)));
  return {
    passed: checks.filter(({ state }) => state === "passed").length,
    deviating: failed.length - unmeant.length,
    problems: [
      ...unmeant.map(({ section, name, why }) => `[${section}] ${name}: ${why}`),
      ...needless.map(
        ({ what }) => `test/support/deviations.ts: no check fails for "${what}"; remove it from the list`,
      ),
    ],
  };
}

/** Runs the suite against a fresh demo. */
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
