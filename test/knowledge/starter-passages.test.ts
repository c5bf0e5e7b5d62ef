import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveChunks } from "../../db/queries/chunks.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { starterSources } from "../../src/knowledge/corpus/starter/index.ts";
import { starterMeanings } from "../../src/knowledge/corpus/starter/meanings.ts";
import { Model } from "../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { readIndexFile } from "../../src/knowledge/retrieval/file.ts";
import { passageText } from "../../src/knowledge/retrieval/passage-text.ts";
import { PassageMeanings } from "../../src/knowledge/retrieval/passages.ts";
import { createCorpus } from "../../src/knowledge/retrieval/service.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { computing } from "../support/services.ts";
import { importQuietly } from "../support/starter.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-starter-passages-"));
const store = openStore(join(folder, "starter.db"));
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the shipped embeddings cover all passages of the shipped documents, encoded by the embedded encoder", async () => {
  await migrate(store);
  await importQuietly({ store, runtime: systemRuntime, computing, actor: "test" }, starterSources());
  const log = createLog(systemRuntime, "warn");
  const file = join(folder, "starter.index");
  const corpus = createCorpus({ runtime: systemRuntime, db: store.read, file, log });
  await corpus.rebuild();
  const index = present(await readIndexFile(file), "the index");

  // Encoding fails here, because no passage should need it.
  const reading = { isBuiltIn: true, vectorOf: () => Promise.reject(), read: () => Promise.reject(), stop: () => {} };
  const own = join(folder, "none");
  const passages = new PassageMeanings({
    runtime: systemRuntime,
    meaning: reading,
    file: own,
    shipped: starterMeanings.passages,
    log,
  });
  expect(await passages.unread(index)).toBe(0);
  expect(await passages.isRead(index, [])).toBe(true);

  const model = await Model.load(present(weightFiles, "the models"));
  const chunks = (await Array.fromAsync(liveChunks(store.read))).flat();
  for (const chunk of [chunks.at(0), chunks.at(150), chunks.at(-1)].map((one) => present(one, "a passage"))) {
    const [nearest = -1] = await passages.nearest(index, await model.vectorOf(`passage: ${passageText(chunk)}`), null);
    expect(index.chunkIds[nearest]).toBe(chunk.id);
  }
});
