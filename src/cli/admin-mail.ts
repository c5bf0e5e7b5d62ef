import type { Command } from "commander";
import { mailById, newestMail } from "../../db/queries/mail-outbox.ts";
import type { MailTable } from "../../db/schema/auth-tables.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { look, show } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

const shown = ({ id, recipient, subject, attempts, last_error, ...mail }: MailTable) => ({
  id,
  recipient,
  subject,
  state: mail.sent_at !== null ? "sent" : mail.due_at === null ? "given up" : "waiting",
  created_at: rfc3339(mail.created_at),
  sent_at: rfc3339OrNull(mail.sent_at),
  next_attempt_at: rfc3339OrNull(mail.due_at),
  attempts,
  last_error,
});

/** `assay admin mail …`: the outbox. Without `mail_url`, messages stay in it. */
export function registerMailCommands(admin: Command, context: Context): void {
  const { io } = context;
  const mail = admin.command("mail").description("List and show messages in the outbox");
  mail
    .command("list")
    .description("List messages, newest first")
    .option("--limit <number>", "maximum number of messages", wholeNumber, 50)
    .option("--json", jsonHelp)
    .action(async (flags: { limit: number; json?: boolean }) => {
      if (flags.limit < 1 || flags.limit > 10_000) throw new CommandError(2, "--limit must be from 1 to 10000");
      const view = (await look(context, ({ read }) => newestMail(read, flags.limit))).map(shown);
      const rows = view.map((one) => [one.id, one.created_at, one.state, one.recipient, one.subject, one.last_error]);
      show(io, flags.json, view, grid(io, ["ID", "TIME", "STATE", "TO", "SUBJECT", "LAST ERROR"], rows));
    });
  mail
    .command("show")
    .description("Show a message's text until it is sent; give its link only to the recipient")
    .argument("<message>", "the message's id")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: { json?: boolean }) => {
      const found = await look(context, ({ read }) => mailById(read, id));
      if (!found) throw new CommandError(2, `there is no message ${id}`, "`assay admin mail list` shows them.");
      const { recipient, subject, text } = found;
      const kept = text === "" ? "(the text is deleted when a message is sent or given up)" : text.trimEnd();
      show(io, flags.json, { ...shown(found), text }, [`To: ${recipient}`, `Subject: ${subject}`, "", kept]);
    });
}
