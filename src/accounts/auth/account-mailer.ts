import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { enqueueMail } from "../../integrations/mail/mailer.ts";
import { composeMessage } from "../../integrations/mail/message.ts";
import { languageOf } from "../../integrations/mail/texts.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { confirmLink, resetLink } from "./links.ts";
import { issueOneTimeToken } from "./one-time.ts";

/**
 * Creates the mailer of account messages. Each is added to the outbox in the transaction that causes it, in the
 * person's language.
 */
export function createAccountMailer(runtime: Runtime, baseUrl: string) {
  return {
    /** Sends a link that verifies `email`: the person's current address, or the one they want to change to. */
    async confirm(tx: Db, at: number, user: UserTable, email: string): Promise<void> {
      const token = await issueOneTimeToken(tx, runtime, at, { user_id: user.id, purpose: "confirm", email });
      // A person who has signed in before is not new: their address was changed, or mail was off when they signed up.
      const isNewcomer = email === user.email && user.last_sign_in_at === null;
      const kind = isNewcomer ? "confirm" : "change_email";
      const message = composeMessage(kind, languageOf(user.locale), { link: confirmLink(baseUrl, token) });
      await enqueueMail(tx, runtime, email, message, at);
    },
    /** Sends the link for a new password. */
    async reset(tx: Db, at: number, { id, email, locale }: UserTable): Promise<void> {
      const token = await issueOneTimeToken(tx, runtime, at, { user_id: id, purpose: "reset", email });
      const message = composeMessage("reset", languageOf(locale), { link: resetLink(baseUrl, token) });
      await enqueueMail(tx, runtime, email, message, at);
    },
    /** Notifies the person of an event on their account. */
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
