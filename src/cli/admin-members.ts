import { Argument, type Command } from "commander";
import type { Role } from "../../db/schema/tables.ts";
import { changeRole, removeMember } from "../accounts/admin/members.ts";
import { roles } from "../accounts/admin/users.ts";
import { change, firmOf, personOf, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";

interface Flags {
  readonly firm?: string;
  readonly json?: boolean;
}

/** `assay admin users role` and `remove` */
export function registerMemberCommands(users: Command, context: Context): void {
  users
    .command("role")
    .description("change what a person may do, from the next request on")
    .argument("<email>", "the person's e-mail address")
    .addArgument(new Argument("<role>", "the new role").choices(roles))
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (email: string, role: Role, flags: Flags) => {
      const view = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        const user_id = await personOf(tx, firm, email);
        return { id: user_id, role, changed: await changeRole(tx, audit, { firm_id: firm.id, user_id }, role) };
      });
      show(context.io, flags.json, view, [view.changed ? `${email} is ${role} now` : `${email} is ${role} already`]);
    });
  users
    .command("remove")
    .description("take a person out of a firm, and revoke their keys and connections there; their runs stay")
    .argument("<email>", "the person's e-mail address")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (email: string, flags: Flags) => {
      const view = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        const user_id = await personOf(tx, firm, email);
        return { id: user_id, removed: await removeMember(tx, audit, { firm_id: firm.id, user_id }) };
      });
      const { keys, connections } = view.removed;
      show(context.io, flags.json, view, [`removed ${email}; revoked ${keys} keys and ${connections} connections`]);
    });
}
