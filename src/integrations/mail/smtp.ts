import { createTransport } from "nodemailer";
import type { MailTable } from "../../../db/schema/auth-tables.ts";
import { second } from "../../platform/clock.ts";

/** The SMTP server, and the sender address. */
export interface MailSettings {
  /** `smtp://` (with STARTTLS if the server supports it) or `smtps://`, with user and password if needed. */
  readonly url: string;
  /** An address, or a name followed by the address in angle brackets. */
  readonly from: string;
}

export interface Transport {
  /** Resolves once the server has accepted the message; otherwise rejects. */
  send(mail: MailTable): Promise<void>;
  close(): void;
}

/**
 * Creates an SMTP transport. A message sent again after a crash has the same id, so that mail readers can recognise the
 * duplicate.
 */
export function smtpTransport({ url, from }: MailSettings): Transport {
  const timeouts = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 30 * second };
  const transport = createTransport({ url, ...timeouts }, { from });
  const host = from.replace(/^.*@|>$/g, "");
  return {
    async send({ id, recipient, subject, text, html }) {
      // An address given as an object is never parsed as a list.
      const to = { name: "", address: recipient };
      const headers = { "Auto-Submitted": "auto-generated" };
      await transport.sendMail({ to, subject, text, html, messageId: `<${id}@${host}>`, headers });
    },
    close: () => transport.close(),
  };
}
