import { prepared } from "../prepared.ts";
import type { QuoteTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const insertQuote = prepared<QuoteTable>((db, value) =>
  db.insertInto("quotes").values({
    id: value("id"),
    use_case: value("use_case"),
    semantic_version: value("semantic_version"),
    input_hash: value("input_hash"),
    maximum_credits: value("maximum_credits"),
    created_at: value("created_at"),
    expires_at: value("expires_at"),
  }),
);

export const quoteById = prepared<{ id: string }, QuoteTable>((db, value) =>
  db.selectFrom("quotes").selectAll().where("id", "=", value("id")),
);

/** Deletes quotes that expired before then. */
export const deleteExpiredQuotes = (db: Db, before: number) =>
  db.deleteFrom("quotes").where("expires_at", "<", before).execute();
