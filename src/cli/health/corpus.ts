import { corpusVersion, countDocuments, workingStates } from "../../../db/queries/documents.ts";
import type { Reading } from "../../../db/store.ts";
import { readIndexFile } from "../../knowledge/retrieval/file.ts";
import { type HealthCheck, ok, warn } from "../../platform/health-check.ts";
import type { Paths } from "../installation.ts";

/** Checks the search index. Never fails: the index is derived, and can be rebuilt whatever is wrong with it. */
async function index(store: Reading, { insuranceIndex }: Paths, live: number): Promise<HealthCheck> {
  const about = "insurance index";
  if (live === 0) return ok(about, "none needed");
  const later = "`assay index rebuild` builds it; a server does so automatically.";
  try {
    const built = await readIndexFile(insuranceIndex);
    if (!built) return warn(about, "not built yet", later);
    const version = await corpusVersion(store.read);
    const found = `built at corpus version ${built.meta.version}`;
    return built.meta.version === version
      ? ok(about, found)
      : warn(about, `${found}, the corpus is at ${version}`, later);
  } catch (error) {
    return warn(about, error instanceof Error ? error.message : "it can't be read", later);
  }
}

/** Checks the insurance documents and their search index. */
export async function corpusChecks(store: Reading, paths: Paths): Promise<HealthCheck[]> {
  const about = "insurance documents";
  const counts = new Map((await countDocuments(store.read)).map(({ state, documents }) => [state, documents]));
  const unfinished = workingStates.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  const [live, refused] = [counts.get("live") ?? 0, counts.get("refused") ?? 0];
  const found = `${live} live, ${refused} refused, ${unfinished} unfinished`;
  const documents = (): HealthCheck => {
    if (unfinished > 0) return warn(about, found, "An import is running, or was interrupted: repeat it.");
    if (refused > 0)
      return warn(about, found, "See why with `assay admin corpus list --all`. Correct the files and import again.");
    return live > 0 ? ok(about, found) : warn(about, found, "Run `assay import insurance FOLDER`, or `--starter`.");
  };
  return [documents(), await index(store, paths, live)];
}
