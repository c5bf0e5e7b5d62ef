import type { Insertable, Selectable } from "kysely";
import { prepared } from "../prepared.ts";
import type { ChunkTable } from "../schema/corpus-tables.ts";
import type { Db } from "../store.ts";

export type Chunk = Selectable<ChunkTable>;

export const insertChunks = (db: Db, chunks: readonly Insertable<ChunkTable>[]) =>
  db
    .insertInto("chunks")
    .values([...chunks])
    .execute();

/** Deletes all chunks of a document that is no longer live or is being read again. */
export const deleteChunks = prepared<{ document_id: string }>((db, value) =>
  db.deleteFrom("chunks").where("document_id", "=", value("document_id")),
);

export const chunksOf = (db: Db, document_id: string): Promise<Chunk[]> =>
  db.selectFrom("chunks").selectAll().where("document_id", "=", document_id).orderBy("ordinal").execute();

/** Up to `limit` chunks of a document, starting at `ordinal`. */
export const chunksFrom = (db: Db, document_id: string, ordinal: number, limit: number): Promise<Chunk[]> =>
  db
    .selectFrom("chunks")
    .selectAll()
    .where("document_id", "=", document_id)
    .where("ordinal", ">=", ordinal)
    .orderBy("ordinal")
    .limit(limit)
    .execute();

/** Chunks by id, in no particular order, excluding those of documents that are no longer live. */
export const liveChunksById = (db: Db, ids: readonly number[]): Promise<Chunk[]> =>
  db
    .selectFrom("chunks")
    .innerJoin("documents", "documents.id", "chunks.document_id")
    .selectAll("chunks")
    .where("documents.state", "=", "live")
    .where("chunks.id", "in", ids)
    .execute();

/**
 * All chunks of live documents in batches, in the order of their ids. Each batch is a separate read, so an index
 * builder compares `corpusVersion` before and after.
 */
export async function* liveChunks(db: Db, batch = 500): AsyncGenerator<Chunk[]> {
  let after = 0;
  for (;;) {
    const found = await db
      .selectFrom("chunks")
      .innerJoin("documents", "documents.id", "chunks.document_id")
      .selectAll("chunks")
      .where("documents.state", "=", "live")
      .where("chunks.id", ">", after)
      .orderBy("chunks.id")
      .limit(batch)
      .execute();
    const last = found.at(-1);
    if (!last) return;
    yield found;
    after = last.id;
  }
}
