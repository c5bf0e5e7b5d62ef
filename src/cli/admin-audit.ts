import type { Command } from "commander";
import { newestAudit } from "../../db/queries/audit.ts";
import { unscoped } from "../../db/tenancy.ts";
import { auditView } from "../accounts/admin/views.ts";
import { verifyAudit } from "../execution/audit-check.ts";
import { rfc3339 } from "../platform/clock.ts";
import { firmOf, look, show } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

/** `assay admin audit …` */
export function registerAuditCommands(admin: Command, context: Context): void {
  const { io } = context;
  const audit = admin.command("audit").description("who changed what");
  audit
    .command("list")
    .description("the newest entries first")
    .option("--firm <firm>", "id or slug")
    .option("--limit <number>", "so many entries, 1 to 10000", wholeNumber, 50)
    .option("--before <number>", "entries before the one of this number, where an earlier list ended", wholeNumber)
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; limit: number; before?: number; json?: boolean }) => {
      if (flags.limit < 1 || flags.limit > 10_000) throw new CommandError(2, "--limit must be from 1 to 10000");
      const found = await look(context, async ({ read }) => {
        const firm = flags.firm === undefined ? undefined : await firmOf(read, flags.firm);
        return newestAudit(unscoped(read), flags.limit + 1, firm?.id, flags.before);
      });
      const all = found.slice(0, flags.limit);
      const view = all.map(auditView);
      const rows = all.map((e) => [e.seq, rfc3339(e.at), e.actor, e.action, e.subject, e.data_json]);
      show(io, flags.json, view, grid(io, ["SEQ", "TIME", "ACTOR", "ACTION", "SUBJECT", "DATA"], rows));
      if (found.length > all.length) io.err(`There are more: --before ${all.at(-1)?.seq}`);
    });
  audit
    .command("verify")
    .description("check that the chain is whole")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const result = await look(context, ({ read }) => verifyAudit(read));
      const { checked, problems } = result;
      show(io, flags.json, result, [...problems, `${checked} entries checked`]);
      if (problems.length > 0) throw new CommandError(1, "the audit chain is broken");
    });
}
