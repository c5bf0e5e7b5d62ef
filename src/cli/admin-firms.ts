import type { Command } from "commander";
import { allFirms, workspacesOf } from "../../db/queries/firms.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createFirm, createWorkspace } from "../accounts/admin/firms.ts";
import { firmDetail, withTime } from "../accounts/admin/views.ts";
import { change, firmOf, look, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { grid, pairs } from "./table.ts";

interface NamingFlags {
  readonly name: string;
  readonly slug?: string;
  readonly json?: boolean;
}

function registerFirms(admin: Command, context: Context): void {
  const { io } = context;
  const firms = admin.command("firms").description("Manage firms, the installation's tenants");
  firms
    .command("list")
    .description("List firms")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const all = (await look(context, (store) => allFirms(unscoped(store.read)))).map(withTime);
      const rows = all.map((firm) => [firm.slug, firm.name, firm.id, firm.created_at]);
      show(io, flags.json, all, grid(io, ["SLUG", "NAME", "ID", "CREATED"], rows));
    });
  firms
    .command("create")
    .description("Create a firm")
    .requiredOption("--name <name>", "the firm's name")
    .option("--slug <slug>", "short name for commands (default: from the name)")
    .option("--json", jsonHelp)
    .action(async (flags: NamingFlags) => {
      const firm = await change(context, (tx, audit) => createFirm(tx, audit, flags));
      show(io, flags.json, withTime(firm), [`created ${firm.slug} (${firm.id})`]);
    });
  firms
    .command("show")
    .description("Show a firm with its credits, entitlements, workspaces and users")
    .argument("[firm]", "id or slug (default: the only one)")
    .option("--json", jsonHelp)
    .action(async (given: string | undefined, flags: { json?: boolean }) => {
      const view = await look(context, async ({ read }) => firmDetail(read, await firmOf(read, given)));
      const { id, name, slug, created_at, credits } = view;
      const figures = { id, name, slug, created_at, available: credits.available, reserved: credits.reserved };
      const lists = {
        entitlements: view.entitlements.join(", ") || null,
        workspaces: view.workspaces.map((workspace) => workspace.slug).join(", ") || null,
        users: view.users.map((user) => `${user.email} (${user.role})`).join(", ") || null,
      };
      show(io, flags.json, view, pairs(io, { ...figures, ...lists }));
    });
}

function registerWorkspaces(admin: Command, context: Context): void {
  const { io } = context;
  const workspaces = admin.command("workspaces").description("Manage a firm's workspaces");
  workspaces
    .command("list")
    .description("List a firm's workspaces")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; json?: boolean }) => {
      const all = await look(context, async ({ read }) => {
        const firm = await firmOf(read, flags.firm);
        return (await workspacesOf.all(read, { firm_id: firm.id })).map(withTime);
      });
      const rows = all.map((workspace) => [workspace.slug, workspace.name, workspace.id, workspace.created_at]);
      show(io, flags.json, all, grid(io, ["SLUG", "NAME", "ID", "CREATED"], rows));
    });
  workspaces
    .command("create")
    .description("Create a workspace")
    .requiredOption("--name <name>", "the workspace's name")
    .option("--slug <slug>", "short name for commands (default: from the name)")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: NamingFlags & { firm?: string }) => {
      const workspace = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        return createWorkspace(tx, audit, firm.id, flags);
      });
      show(io, flags.json, withTime(workspace), [`created ${workspace.slug} (${workspace.id})`]);
    });
}

/** `assay admin firms …` and `assay admin workspaces …` */
export function registerFirmCommands(admin: Command, context: Context): void {
  registerFirms(admin, context);
  registerWorkspaces(admin, context);
}
