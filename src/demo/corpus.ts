import { operator } from "../accounts/admin/audit-context.ts";
import { starterSources } from "../knowledge/corpus/starter/index.ts";
import { assert } from "../platform/assert.ts";
import { importDocuments } from "../products/insurance/importer.ts";
import type { DemoOptions } from "./index.ts";

/** Number of documents that share commits, which keeps the demo's start fast. */
const parallel = 64;

/** Fills the demo's corpus with the samples and legal notes that come with the program, using the real importer. */
export async function prepareCorpus({
  store,
  services: { runtime, computing },
}: Pick<DemoOptions, "store" | "services">): Promise<void> {
  const quiet = () => undefined;
  const outcomes = await importDocuments({
    host: { store, runtime, computing, actor: operator },
    sources: starterSources(),
    otherwise: {},
    dryRun: false,
    parallel,
    begun: quiet,
    page: quiet,
    ended: quiet,
  });
  const refused = outcomes.filter(({ status }) => status === "refused").map(({ file }) => file);
  assert(refused.length === 0, `the starter documents can be imported: ${refused.join(", ")}`);
}
