import { type Command, InvalidArgumentError, Option } from "commander";
import { newestAudit } from "../../db/queries/audit.ts";
import { unscoped } from "../../db/tenancy.ts";
import { auditView } from "../accounts/admin/views.ts";
import { type ChainPlace, verifyAudit } from "../execution/audit-check.ts";
import { rfc3339 } from "../platform/clock.ts";
import { firmOf, look, show } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

/** Formats an entry as `seq:hash`, which the chain checks print and `--noted` accepts. */
export const entryText = ({ seq, hash }: ChainPlace): string => `${seq}:${hash}`;

function notedEntry(text: string): ChainPlace {
  const [, seq, hash = ""] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (seq === undefined)
    throw new InvalidArgumentError("It must be a number and a hash, as in 641:3f0c…, with all 64 digits.");
  return { seq: Number(seq), hash: hash.toLowerCase() };
}

/** Returns the `--noted` option of the commands that verify the chain. */
export const notedOption = (): Option =>
  new Option("--noted <number:hash>", "an entry noted earlier, which the log must still have").argParser(notedEntry);

/** `assay admin audit …` */
export function registerAuditCommands(admin: Command, context: Context): void {
  const { io } = context;
  const audit = admin.command("audit").description("List and verify the audit log: who changed what");
  audit
    .command("list")
    .description("List entries, newest first")
    .option("--firm <firm>", "id or slug")
    .option("--limit <number>", "maximum number of entries, 1 to 10000", wholeNumber, 50)
    .option("--before <number>", "only entries before this number, to continue an earlier list", wholeNumber)
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
    .description("Verify the hash chain and print its last entry")
    .addOption(notedOption())
    .option("--json", jsonHelp)
    .action(async ({ json, noted }: { json?: boolean; noted?: ChainPlace }) => {
      const result = await look(context, ({ read }) => verifyAudit(read, { noted }));
      const { checked, problems, last } = result;
      const lines = [...problems, `${checked} entries checked`];
      show(io, json, result, last ? [...lines, `last entry ${entryText(last)}`] : lines);
      if (problems.length > 0) throw new CommandError(1, "the audit chain is broken");
    });
}
