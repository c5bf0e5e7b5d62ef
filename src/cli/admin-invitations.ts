import { type Command, Option } from "commander";
import { invitationsOf } from "../../db/queries/invitations.ts";
import type { InvitationTable } from "../../db/schema/auth-tables.ts";
import type { Role } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import type { Creation } from "../accounts/admin/audit-context.ts";
import { createInvitation, withdrawInvitation } from "../accounts/admin/invitations.ts";
import { roles } from "../accounts/admin/users.ts";
import { inviteLink } from "../accounts/auth/links.ts";
import { enqueueMail } from "../integrations/mail/mailer.ts";
import { composeMessage } from "../integrations/mail/message.ts";
import { type Language, languages } from "../integrations/mail/texts.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { change, firmOf, look, show, unknownIn } from "./admin-run.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { pathsOf, publicAddress } from "./installation.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

interface CreateFlags {
  readonly email: string;
  readonly role: Role;
  readonly firm?: string;
  readonly mail?: Language;
  readonly json?: boolean;
}

const shown = (one: InvitationTable, now: number) => ({
  id: one.id,
  email: one.email,
  role: one.role,
  state: one.accepted_at !== null ? "accepted" : one.expires_at <= now ? "expired" : "open",
  created_at: rfc3339(one.created_at),
  expires_at: rfc3339(one.expires_at),
  accepted_at: rfc3339OrNull(one.accepted_at),
});

/** Creates an invitation and, with `--mail`, queues the e-mail with its link. */
async function invite(tx: Db, audit: Creation, { email, role, firm, mail }: CreateFlags, baseUrl: string) {
  const { id: firm_id, name } = await firmOf(tx, firm);
  const { invitation, secret } = await createInvitation(tx, audit, { firm_id, email, role });
  const link = inviteLink(baseUrl, secret);
  if (mail)
    await enqueueMail(
      tx,
      audit.runtime,
      invitation.email,
      composeMessage("invitation", mail, { link, firm: name }),
      audit.at,
    );
  return { invitation, link };
}

/** `assay admin invitations …` */
export function registerInvitationCommands(admin: Command, context: Context): void {
  const { io } = context;
  const invitations = admin.command("invitations").description("Manage invitations to a firm");
  invitations
    .command("list")
    .description("List invitations")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; json?: boolean }) => {
      const all = await look(context, async ({ read }) => invitationsOf(read, (await firmOf(read, flags.firm)).id));
      const view = all.map((one) => shown(one, io.runtime.now()));
      const rows = view.map((one) => [one.id, one.email, one.role, one.state, one.expires_at]);
      show(io, flags.json, view, grid(io, ["ID", "EMAIL", "ROLE", "STATE", "EXPIRES"], rows));
    });
  invitations
    .command("create")
    .description("Invite an e-mail address to a firm; the link is valid for seven days and works once")
    .requiredOption("--email <address>", "e-mail address")
    .addOption(new Option("--role <role>", "the user's role").choices(roles).default("member"))
    .option("--firm <firm>", "id or slug")
    .addOption(new Option("--mail <language>", "mail the link in this language").choices(languages))
    .option("--json", jsonHelp)
    .action(async (flags: CreateFlags) => {
      const configuration = context.configure();
      if (configuration.settings.sign_up === "off")
        throw new CommandError(
          2,
          "sign_up is off, so no one could accept an invitation",
          "Set sign_up to invited, or create the user with `assay admin users create`.",
        );
      const baseUrl = publicAddress(configuration, pathsOf(configuration.settings));
      const { invitation, link } = await change(context, (tx, audit) => invite(tx, audit, flags, baseUrl));
      if (flags.json) return printJson(io, { ...shown(invitation, invitation.created_at), link });
      io.out(link);
      io.err(`invited ${invitation.email} as ${invitation.role} (${invitation.id}). The link is shown only once.`);
    });
  invitations
    .command("withdraw")
    .description("Withdraw an open invitation")
    .argument("<invitation>", "the invitation's id")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: { firm?: string; json?: boolean }) => {
      const withdrawn = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        if (await withdrawInvitation(tx, audit, firm.id, id)) return true;
        throw unknownIn(firm, "invitations", `open invitation ${id}`);
      });
      show(io, flags.json, { id, withdrawn }, [`withdrew ${id}`]);
    });
}
