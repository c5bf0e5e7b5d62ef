import { starterSources } from "../../src/knowledge/corpus/starter/index.ts";
import { type ImportOptions, importDocuments } from "../../src/products/insurance/importer.ts";
import type { World } from "./harness.ts";
import { computing } from "./services.ts";

const quiet = () => undefined;

/** Imports documents without reporting progress. */
export const importQuietly = (host: ImportOptions["host"], sources: ImportOptions["sources"]) =>
  importDocuments({
    host,
    sources,
    otherwise: {},
    dryRun: false,
    parallel: 16,
    begun: quiet,
    page: quiet,
    ended: quiet,
  });

/** Imports the documents shipped with the product. */
export const importStarter = ({ store, clock }: World) =>
  importQuietly({ store, runtime: clock, computing, actor: "operator" }, starterSources());
