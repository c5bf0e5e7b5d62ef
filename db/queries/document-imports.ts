import type { DocumentImportTable } from "../schema/corpus-tables.ts";
import type { Db } from "../store.ts";

export const insertDocumentImport = (db: Db, row: DocumentImportTable) =>
  db.insertInto("document_imports").values(row).execute();

export const documentImportById = (db: Db, id: string): Promise<DocumentImportTable | undefined> =>
  db.selectFrom("document_imports").selectAll().where("id", "=", id).executeTakeFirst();

/** Imports before `before`, newest first. */
export const documentImportsBefore = (
  db: Db,
  before: string | undefined,
  limit: number,
): Promise<DocumentImportTable[]> =>
  db
    .selectFrom("document_imports")
    .selectAll()
    .$if(before !== undefined, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Ids of the imports whose uploaded files are still needed. */
export async function unfinishedImports(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("document_imports").select("id").where("ended_at", "is", null).execute();
  return rows.map(({ id }) => id);
}

/** Updates an import's progress or outcome. */
export const updateDocumentImport = (
  db: Db,
  id: string,
  change: Partial<Pick<DocumentImportTable, "status" | "attempts" | "report_json" | "ended_at">>,
) => db.updateTable("document_imports").set(change).where("id", "=", id).execute();

/** Deletes the imports that ended before an instant (milliseconds UTC). */
export const deleteEndedImports = (db: Db, before: number) =>
  db.deleteFrom("document_imports").where("ended_at", "<", before).execute();
