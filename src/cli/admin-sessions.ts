import type { Command } from "commander";
import { revokeSessionsOf, sessionsOf } from "../../db/queries/sessions.ts";
import { record } from "../accounts/admin/audit-context.ts";
import { sessionIdleLimit } from "../accounts/auth/sessions.ts";
import { rfc3339 } from "../platform/clock.ts";
import { anyoneOf, change, look, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { grid } from "./table.ts";

/** `assay admin sessions …` */
export function registerSessionCommands(admin: Command, context: Context): void {
  const { io } = context;
  const sessions = admin.command("sessions").description("List and end a user's sessions");
  sessions
    .command("list")
    .description("List a user's sessions")
    .argument("<email>", "the user's e-mail address")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: { json?: boolean }) => {
      const all = await look(context, async ({ read }) =>
        sessionsOf(read, await anyoneOf(read, email), io.runtime.now() - sessionIdleLimit),
      );
      const view = all.map(({ id, provider, user_agent, created_at, last_used_at }) => ({
        id,
        provider,
        user_agent,
        created_at: rfc3339(created_at),
        last_used_at: rfc3339(last_used_at),
      }));
      const rows = view.map((one) => [one.id, one.provider, one.created_at, one.last_used_at, one.user_agent]);
      show(io, flags.json, view, grid(io, ["ID", "PROVIDER", "SIGNED IN", "LAST USED", "AGENT"], rows));
    });
  sessions
    .command("revoke")
    .description("End all sessions of a user at once")
    .argument("<email>", "the user's e-mail address")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: { json?: boolean }) => {
      const revoked = await change(context, async (tx, audit) => {
        const user_id = await anyoneOf(tx, email);
        const count = await revokeSessionsOf(tx, user_id, audit.at);
        await record(tx, audit, "sessions.revoked", user_id, null, { count });
        return count;
      });
      show(io, flags.json, { revoked }, [`ended ${revoked} sessions`]);
    });
}
