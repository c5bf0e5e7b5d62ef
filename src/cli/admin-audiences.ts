import type { Command } from "commander";
import { audiencesOf, deleteAudience } from "../../db/queries/audiences.ts";
import { appendAudit } from "../execution/audit.ts";
import { rfc3339 } from "../platform/clock.ts";
import { change, firmOf, look, show, unknownIn } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { grid } from "./table.ts";

interface Flags {
  readonly firm?: string;
  readonly json?: boolean;
}

const firmFlag = ["--firm <firm>", "id or slug; not needed with a single firm"] as const;

/** `assay admin audiences …`: the market validator's audiences. Studies keep their own copy of a deleted audience. */
export function registerAudienceCommands(admin: Command, context: Context): void {
  const { io } = context;
  const audiences = admin
    .command("audiences")
    .description("List and delete a firm's audiences of the market validator");
  audiences
    .command("list")
    .description("List a firm's audiences, newest first")
    .option(...firmFlag)
    .option("--json", jsonHelp)
    .action(async ({ firm, json }: Flags) => {
      const rows = await look(context, async ({ read }) => {
        const { id: firm_id } = await firmOf(read, firm);
        return audiencesOf.all(read, { firm_id, workspace_id: "" });
      });
      const view = rows.map((row) => ({ ...row, created_at: rfc3339(row.created_at) }));
      const cells = rows.map(({ id, market, size, source, name }) => [id, market, size, source, name]);
      show(io, json, view, grid(io, "ID MARKET SIZE SOURCE NAME".split(" "), cells));
    });
  audiences
    .command("delete")
    .description("Delete an audience; running studies keep their copy of it")
    .argument("<audience>", "the audience's id")
    .option(...firmFlag)
    .option("--json", jsonHelp)
    .action(async (id: string, { firm, json }: Flags) => {
      await change(context, async (tx, { actor, at }) => {
        const owner = await firmOf(tx, firm);
        const firm_id = owner.id;
        if ((await deleteAudience.run(tx, { id, firm_id })) === 0)
          throw unknownIn(owner, "audiences", `audience ${id}`);
        await appendAudit(tx, { at, firm_id, actor, action: "audience.delete", subject: id, data: {} });
      });
      show(io, json, { id, deleted: true }, [`deleted ${id}`]);
    });
}
