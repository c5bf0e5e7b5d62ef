import type { MailTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

export const insertMail = (db: Db, mail: MailTable) => db.insertInto("mail_outbox").values(mail).execute();

/** Messages due by now, longest waiting first. */
export const dueMail = (db: Db, at: number, limit: number): Promise<MailTable[]> =>
  db
    .selectFrom("mail_outbox")
    .selectAll()
    .where("due_at", "<=", at)
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Records the outcome of an attempt to send. */
export const updateMail = (db: Db, id: string, change: Partial<Omit<MailTable, "id">>) =>
  db.updateTable("mail_outbox").set(change).where("id", "=", id).execute();

/** The newest messages, including sent ones. */
export const newestMail = (db: Db, limit: number): Promise<MailTable[]> =>
  db.selectFrom("mail_outbox").selectAll().orderBy("id", "desc").limit(limit).execute();

/** Messages that were not sent, either waiting or given up, newest first. Old ones are deleted in time. */
export const unsentMail = (db: Db): Promise<Pick<MailTable, "due_at" | "last_error">[]> =>
  db
    .selectFrom("mail_outbox")
    .select(["due_at", "last_error"])
    .where("sent_at", "is", null)
    .orderBy("id", "desc")
    .execute();

/** A message by id, sent or not. */
export const mailById = (db: Db, id: string): Promise<MailTable | undefined> =>
  db.selectFrom("mail_outbox").selectAll().where("id", "=", id).executeTakeFirst();

/** Deletes messages created before then. */
export const deleteMailBefore = (db: Db, created_at: number) =>
  db.deleteFrom("mail_outbox").where("created_at", "<", created_at).execute();
