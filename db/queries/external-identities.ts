import type { ExternalIdentityTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

/** Records which person a provider's subject is. */
export const insertExternalIdentity = (db: Db, identity: ExternalIdentityTable) =>
  db.insertInto("external_identities").values(identity).execute();

/** The person behind a provider's subject, if they have signed in with it before. */
export const externalIdentity = (db: Db, issuer: string, subject: string): Promise<ExternalIdentityTable | undefined> =>
  db
    .selectFrom("external_identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
