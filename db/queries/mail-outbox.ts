import type { MailTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

export const insertMail = (db: Db, mail: MailTable) => db.insertInto("mail_outbox").values(mail).execute();

/** What is to be tried by now, the longest waiting in front. */
export const dueMail = (db: Db, at: number, limit: number): Promise<MailTable[]> =>
  db
    .selectFrom("mail_outbox")
    .selectAll()
    .where("due_at", "<=", at)
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Tells what became of an attempt to send. */
export const updateMail = (db: Db, id: string, change: Partial<Omit<MailTable, "id">>) =>
  db.updateTable("mail_outbox").set(change).where("id", "=", id).execute();

/** The newest messages, sent ones too. */
export const newestMail = (db: Db, limit: number): Promise<MailTable[]> =>
  db.selectFrom("mail_outbox").selectAll().orderBy("id", "desc").limit(limit).execute();

/** What was not sent: that waits, or was given up. The newest first, as far as it is kept. */
export const unsentMail = (db: Db): Promise<Pick<MailTable, "due_at" | "last_error">[]> =>
  db
    .selectFrom("mail_outbox")
    .select(["due_at", "last_error"])
    .where("sent_at", "is", null)
    .orderBy("id", "desc")
    .execute();

/** A message, sent or not. */
export const mailById = (db: Db, id: string): Promise<MailTable | undefined> =>
  db.selectFrom("mail_outbox").selectAll().where("id", "=", id).executeTakeFirst();

/** Forgets what was put there before then. */
export const deleteMailBefore = (db: Db, created_at: number) =>
  db.deleteFrom("mail_outbox").where("created_at", "<", created_at).execute();
