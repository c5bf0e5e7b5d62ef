import type { Command } from "commander";
import { operator } from "../accounts/admin/audit-context.ts";
import { importStudies } from "../products/validator/import.ts";
import { firmOf, personOf, workspaceOf } from "./admin-run.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { readGiven } from "./file-trouble.ts";
import { pathsOf, withStore } from "./installation.ts";
import { CommandError, decoded } from "./io.ts";

interface Flags {
  readonly firm?: string;
  readonly workspace?: string;
  readonly user?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

async function importFile(file: string, flags: Flags, { io, configure }: Context): Promise<void> {
  const text = decoded(readGiven(file), file);
  const dryRun = flags.dryRun === true;
  const outcomes = await withStore(pathsOf(configure().settings), async (store) => {
    const firm = await firmOf(store.read, flags.firm);
    const workspace = await workspaceOf(store.read, firm, flags.workspace);
    const user_id = await personOf(store.read, firm, flags.user);
    const owner = { firm_id: firm.id, workspace_id: workspace.id, user_id };
    return importStudies({ store, runtime: io.runtime, actor: operator, owner, text, dryRun });
  });
  const of = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = { imported: of("imported"), unchanged: of("unchanged"), refused: of("refused") };
  if (flags.json) printJson(io, { dry_run: dryRun, ...counts, studies: outcomes });
  else {
    for (const { line, status, notes } of outcomes)
      for (const note of notes) io.err(`${file}:${line}: ${status}: ${note}`);
    const { imported, unchanged, refused } = counts;
    const done = `${imported} imported, ${unchanged} unchanged, ${refused} refused`;
    io.out(dryRun ? `dry run, nothing was written: ${done}` : done);
  }
  if (outcomes.length === 0) throw new CommandError(1, `there is no study in ${file}`);
  if (counts.refused > 0)
    throw new CommandError(
      1,
      `${counts.refused} of ${outcomes.length} studies were refused`,
      "Correct them and import again.",
    );
}

/** `assay import studies` */
export function registerStudiesImport(command: Command, context: Context): void {
  command
    .command("studies")
    .description("Import market validator studies from elsewhere (JSON lines, one study per line)")
    .argument("<file>", "the file")
    .option("--firm <firm>", "the studies' firm, by id or slug; not needed with a single firm")
    .option("--workspace <workspace>", "the studies' workspace, by id or slug (default: the firm's first)")
    .option("--user <email>", "the studies' owner; not needed with a single user")
    .option("--dry-run", "read and check everything, write nothing")
    .option("--json", jsonHelp)
    .action((file: string, flags: Flags) => importFile(file, flags, context));
}
