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

/** Takes out all chunks of a document: it is no longer live, or is read again. */
export const deleteChunks = prepared<{ document_id: string }>((db, value) =>
  db.deleteFrom("chunks").where("document_id", "=", value("document_id")),
);

export const chunksOf = (db: Db, document_id: string): Promise<Chunk[]> =>
  db.selectFrom("chunks").selectAll().where("document_id", "=", document_id).orderBy("ordinal").execute();

/** Some passages of a document, from one on. */
export const chunksFrom = (db: Db, document_id: string, ordinal: number, limit: number): Promise<Chunk[]> =>
  db
    .selectFrom("chunks")
    .selectAll()
    .where("document_id", "=", document_id)
    .where("ordinal", ">=", ordinal)
    .orderBy("ordinal")
    .limit(limit)
    .execute();

/** Passages by their ids, those of documents that are live no more left out. In no order. */
export const liveChunksById = (db: Db, ids: readonly number[]): Promise<Chunk[]> =>
  db
    .selectFrom("chunks")
    .innerJoin("documents", "documents.id", "chunks.document_id")
    .selectAll("chunks")
    .where("documents.state", "=", "live")
    .where("chunks.id", "in", ids)
    .execute();

/**
 * All passages of live documents in the order of their ids, in batches. The builder of an index compares
 * `corpusVersion` before and behind: batches are reads of their own.
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
