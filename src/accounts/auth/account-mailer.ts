import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { enqueueMail } from "../../integrations/mail/mailer.ts";
import { composeMessage } from "../../integrations/mail/message.ts";
import { languageOf } from "../../integrations/mail/texts.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { confirmLink, resetLink } from "./links.ts";
import { issueOneTimeToken } from "./one-time.ts";

/** Every message about an account, put into the outbox in the transaction of its cause, in the person's language. */
export function createAccountMailer(runtime: Runtime, baseUrl: string) {
  return {
    /** Asks whether `email` is the person's: their present address, or the one that they want to have. */
    async confirm(tx: Db, at: number, user: UserTable, email: string): Promise<void> {
      const token = await issueOneTimeToken(tx, runtime, at, { user_id: user.id, purpose: "confirm", email });
      // A person who has signed in before is no newcomer: their address was changed, or mail was off when they signed up.
      const isNewcomer = email === user.email && user.last_sign_in_at === null;
      const kind = isNewcomer ? "confirm" : "change_email";
      const message = composeMessage(kind, languageOf(user.locale), { link: confirmLink(baseUrl, token) });
      await enqueueMail(tx, runtime, email, message, at);
    },
    /** The link to a new password. */
    async reset(tx: Db, at: number, { id, email, locale }: UserTable): Promise<void> {
      const token = await issueOneTimeToken(tx, runtime, at, { user_id: id, purpose: "reset", email });
      const message = composeMessage("reset", languageOf(locale), { link: resetLink(baseUrl, token) });
      await enqueueMail(tx, runtime, email, message, at);
    },
    /** Notifies the person of what happened to their account. */
    async notify(
      tx: Db,
      at: number,
      user: UserTable,
      kind: "known" | "email_changing" | "password_changed",
    ): Promise<void> {
      await enqueueMail(tx, runtime, user.email, composeMessage(kind, languageOf(user.locale)), at);
    },
  };
}

export type AccountMailer = ReturnType<typeof createAccountMailer>;
