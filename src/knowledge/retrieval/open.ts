import type { Corpus } from "../corpus/corpus.ts";
import type { CorpusOptions, IndexedCorpus } from "./service.ts";

/**
 * The corpus of an installation, whose search is loaded when it is first asked: a server that nobody asks about
 * insurance does without its code, its weights and its index. `src/cli/services.ts` calls it.
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
