import { unsentMail } from "../../../db/queries/mail-outbox.ts";
import type { Reading } from "../../../db/store.ts";
import { baseUrlOf, type Settings } from "../../config/settings.ts";
import { usualSender } from "../../integrations/mail/sender.ts";
import { type HealthCheck, ok, warn } from "../../platform/health-check.ts";

/** Checks that mail has a configured sender. */
export function senderChecks(settings: Settings): HealthCheck[] {
  const { mail_url, mail_from } = settings;
  if (mail_url === undefined || mail_from !== undefined) return [];
  const advice = "Set mail_from to an address of yours: many mail servers reject other senders.";
  return [warn("mail sender", `${usualSender(baseUrlOf(settings))}, because mail_from is not set`, advice)];
}

/** Checks for unsent mail and reports the last error of the mail server. */
export async function outboxChecks(store: Reading): Promise<HealthCheck[]> {
  const about = "outbox";
  const unsent = await unsentMail(store.read);
  const waiting = unsent.filter(({ due_at }) => due_at !== null).length;
  const found = `${waiting} waiting, ${unsent.length - waiting} given up`;
  const error = unsent.find(({ last_error }) => last_error !== null)?.last_error;
  if (error === undefined) return [ok(about, found)];
  const advice = "Correct mail_url, or check the mail server. `assay admin mail list` shows each message's error.";
  return [warn(about, `${found}; the last error: ${error}`, advice)];
}
