import { join } from "node:path";
import { parseArgs } from "node:util";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { companyIntelligenceEngine } from "../../src/products/capabilities/company-intelligence/engine.ts";
import type { CompanyIntelligenceOutput } from "../../src/products/capabilities/company-intelligence/schema.ts";
import { key } from "../../src/products/capabilities/company-intelligence/text.ts";
import { sameOffer, type Truth, truthsIn } from "../../tools/training/company-intelligence/truth.ts";
import { computing } from "../support/services.ts";

/** Compares names without legal form, case and punctuation: one must be a prefix of the other. */
const sameName = (found: string, true_: string): boolean => {
  const [a, b] = [key(found), key(true_)];
  return a !== "" && (a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `));
};
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 1_000);

const log = createLog(systemRuntime, "error");

/** Serves each page from loopback under its own host name; its links lead nowhere. */
function serve(folder: string, truths: readonly Truth[]) {
  const pages = new Map(truths.map(({ url, file }) => [new URL(url).hostname, join(folder, file)]));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { hostname, pathname } = new URL(request.url);
      const file = pages.get(hostname);
      return file && pathname === "/" ? new Response(Bun.file(file)) : new Response("not here", { status: 404 });
    },
  });
  const outbound = createOutbound({
    runtime: { ...systemRuntime, resolveHost: async () => ["127.0.0.1"] },
    allow_private: [...pages.keys()].map((host) => `${host}:${server.port}`),
  });
  const engine = companyIntelligenceEngine({ outbound, computing, runtime: systemRuntime });
  const analyse = async (url: string): Promise<CompanyIntelligenceOutput> => {
    const { result } = await engine.run(
      { company_url: `http://${new URL(url).hostname}:${server.port}/` },
      unhostedContext({
        signal: AbortSignal.timeout(60_000),
        stepKey: url,
        firm: "bench",
        now: () => new Date(0),
        random: () => 0,
        earlier: {},
      }),
    );
    return result;
  };
  return { server, analyse };
}

/** Returns a page's labelled offers: the firm's own, and others that it names as such. */
const offersOf = ({ products_services, also = [] }: Truth): string[] => [...products_services, ...also];

/** Prints one page's verdicts, for `--tell`. */
function tellPage(truth: Truth, result: CompanyIntelligenceOutput | undefined, named: boolean): void {
  const given = result?.products_services ?? [];
  const isRight = (one: string) => offersOf(truth).some((other) => sameOffer(one, other));
  const missed = truth.products_services.filter((one) => !given.some((other) => sameOffer(one, other)));
  console.log(
    `${named ? "ok " : "NO "} ${result?.company_name} (${truth.company_name}) · market: ${result?.market} · audience: ${result?.target_audience}`,
  );
  console.log(`    ${given.map((one) => `${isRight(one) ? "+" : "-"} ${one}`).join(", ")}`);
  console.log(`    missed: ${missed.join(", ") || "nothing"}`);
}

/**
 * Measures how well the embedded company engine reads stored home pages with known truth; `folder` contains
 * `truth.jsonl` and the pages. Each page takes the full path: guard, robots.txt, reading, judging. Called by
 * `evidence.ts`; on its own: `bun run bench:company [--data DIR] [--tell]`.
 */
export async function printCompanies(folder: string, tell = false): Promise<void> {
  const truths = truthsIn(folder);
  const { server, analyse } = serve(folder, truths);
  const took: number[] = [];
  let names = 0;
  const sum = { right: 0, firms: 0, given: 0, found: 0, wanted: 0 };
  for (const truth of truths) {
    const began = performance.now();
    const result = await analyse(truth.url).catch((error: unknown) =>
      log.error("not analysed", { file: truth.file, error }),
    );
    took.push(performance.now() - began);
    const given = result?.products_services ?? [];
    const named = [truth.company_name, ...truth.aliases].some((name) => sameName(result?.company_name ?? "", name));
    names += named ? 1 : 0;
    const isAmong = (one: string, offers: readonly string[]) => offers.some((other) => sameOffer(one, other));
    sum.right += given.filter((one) => isAmong(one, offersOf(truth))).length;
    sum.firms += given.filter((one) => isAmong(one, truth.products_services)).length;
    sum.given += given.length;
    sum.found += truth.products_services.filter((one) => given.some((other) => sameOffer(one, other))).length;
    sum.wanted += truth.products_services.length;
    if (tell) tellPage(truth, result ?? undefined, named);
  }
  const sorted = took.toSorted((a, b) => a - b);
  console.log("\ncompany-intelligence, stored home pages:", {
    pages: truths.length,
    company_name: ratio(names, truths.length),
    products_recall: ratio(sum.found, sum.wanted),
    products_precision: ratio(sum.right, sum.given),
    precision_by_the_list_alone: ratio(sum.firms, sum.given),
    given_a_page: Math.round((10 * sum.given) / Math.max(1, truths.length)) / 10,
    ms_p50: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    ms_p99: Math.round(sorted.at(-1) ?? 0),
  });
  await server.stop(true);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "../shared/data/company-pages" },
      tell: { type: "boolean", default: false },
    },
  });
  await printCompanies(values.data, values.tell);
}
