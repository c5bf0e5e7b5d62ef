import { importDocuments } from "../src/corpus/importer.ts";
import { starterSources } from "../src/corpus/starter/index.ts";
import type { World } from "./harness.ts";

const quiet = () => undefined;

/** Imports the documents that come with the program. */
export const importStarter = ({ store, clock }: World) =>
  importDocuments({
    host: { store, clock, actor: "operator" },
    sources: starterSources(),
    otherwise: {},
    dryRun: false,
    parallel: 16,
    begun: quiet,
    page: quiet,
    ended: quiet,
  });
