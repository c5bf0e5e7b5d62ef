import { createTransport } from "nodemailer";
import type { MailTable } from "../../../db/schema/auth-tables.ts";
import { second } from "../../platform/clock.ts";

/** Where mail is handed in, and who it is from. */
export interface MailSettings {
  /** `smtp://` (with STARTTLS where the server has it) or `smtps://`, with user and password where they are asked for. */
  readonly url: string;
  /** An address, or a name with the address in angle brackets. */
  readonly from: string;
}

export interface Transport {
  /** Resolves when the server has taken the message over; rejects otherwise. */
  send(mail: MailTable): Promise<void>;
  close(): void;
}

/** Hands messages to an SMTP server. A message sent twice after a crash has the same id, so that readers can tell. */
export function smtpTransport({ url, from }: MailSettings): Transport {
  const timeouts = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 30 * second };
  const transport = createTransport({ url, ...timeouts }, { from });
  const host = from.replace(/^.*@|>$/g, "");
  return {
    async send({ id, recipient, subject, text, html }) {
      // As an object the address is never read as a list of several.
      const to = { name: "", address: recipient };
      const headers = { "Auto-Submitted": "auto-generated" };
      await transport.sendMail({ to, subject, text, html, messageId: `<${id}@${host}>`, headers });
    },
    close: () => transport.close(),
  };
}
