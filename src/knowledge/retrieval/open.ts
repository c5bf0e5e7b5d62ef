import type { Corpus } from "../corpus/corpus.ts";
import type { CorpusOptions, IndexedCorpus } from "./service.ts";

/**
 * Opens an installation's corpus, loading the search on first use, so that a server without insurance questions loads
 * neither its code nor its weights and index. Called by `src/cli/services.ts`.
 */
export function openCorpus(options: CorpusOptions): Corpus {
  let opening: Promise<IndexedCorpus> | undefined;
  const opened = () => {
    opening ??= import("./service.ts").then(({ createCorpus }) => createCorpus(options));
    return opening;
  };
  return {
    search: async (query) => (await opened()).search(query),
    documents: async () => (await opened()).documents(),
    later: async (query) => (await opened()).later(query),
    state: async () => (await opened()).state(),
    refresh: async () => (await opened()).refresh(),
    close: async () => (await opening)?.close(),
  };
}
