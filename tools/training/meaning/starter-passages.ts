import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveChunks } from "../../../db/queries/chunks.ts";
import { openStore } from "../../../db/sqlite/connection.ts";
import { migrate } from "../../../db/sqlite/migrate.ts";
import { starterSources } from "../../../src/knowledge/corpus/starter/index.ts";
import { starterMeanings } from "../../../src/knowledge/corpus/starter/meanings.ts";
import { createMeaning } from "../../../src/knowledge/meaning/service.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { PassageMeanings } from "../../../src/knowledge/retrieval/passages.ts";
import { createLog } from "../../../src/platform/log.ts";
import { systemRuntime } from "../../../src/platform/runtime.ts";
import { computing } from "../../../test/support/services.ts";
import { importQuietly } from "../../../test/support/starter.ts";

/**
 * `bun tools/training/meaning/starter-passages.ts` computes the encoder's vectors of the starter documents' passages
 * and writes them to `src/knowledge/corpus/starter/passages.meaning`. Run it whenever those documents, their chunking
 * or the encoder change; a test fails until then.
 */
const folder = mkdtempSync(join(tmpdir(), "assay-starter-passages-"));
const store = openStore(join(folder, "starter.db"));
try {
  await migrate(store);
  const outcomes = await importQuietly({ store, runtime: systemRuntime, computing, actor: "tool" }, starterSources());
  for (const { file, reason } of outcomes) if (reason) throw new Error(`${file}: ${reason.message}`);
  const log = createLog(systemRuntime, "warn");
  const available = () => process.availableMemory();
  const meaning = createMeaning({ runtime: systemRuntime, log, files: weightFiles, available });
  const file = join(folder, "passages.meaning");
  const passages = new PassageMeanings({ runtime: systemRuntime, meaning, file, log });
  passages.readAhead([], () => liveChunks(store.read), new AbortController().signal);
  await passages.idle();
  meaning.stop();
  copyFileSync(file, starterMeanings.passages);
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
