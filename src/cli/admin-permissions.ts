import { Argument, type Command } from "commander";
import type { Db } from "../../db/store.ts";
import { disentitle, entitle, switchGate } from "../accounts/admin/permissions.ts";
import { entitlementNamesOf, gateList, generalEntitlements, grantableEntitlements } from "../accounts/admin/views.ts";
import { capabilities } from "../products/capabilities/index.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { change, firmOf, look, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

interface FirmFlags {
  readonly firm?: string;
  readonly json?: boolean;
}

/** Slugs of everything in the catalogue. */
export const sold = [...capabilities.map((capability) => capability.slug), ...useCases.map((useCase) => useCase.slug)];
const entitlementNames = generalEntitlements(capabilities);

/** Throws exit 2, listing the known names, if `name` is not one of them. */
export function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw new CommandError(2, `there is no ${what} ${name}`, `Known: ${known.join(", ")}`);
}

const gates = (db: Db) => gateList(db, sold);

function registerGates(admin: Command, context: Context): void {
  const group = admin.command("gates").description("Open and close gates, which control what can be run at all");
  group
    .command("list")
    .description("List all gates")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const all = await look(context, ({ read }) => gates(read));
      const rows = all.map((gate) => [gate.name, gate.open ? "open" : "closed", gate.changed_at, gate.changed_by]);
      show(context.io, flags.json, all, grid(context.io, ["GATE", "STATE", "CHANGED", "BY"], rows));
    });
  for (const verb of ["open", "close"] as const)
    group
      .command(verb)
      .description(verb === "open" ? "Open gates" : "Close gates; new runs are refused")
      .addArgument(new Argument("<names...>", "platform, or slugs of capabilities and use cases"))
      .option("--json", jsonHelp)
      .action(async (names: string[], flags: { json?: boolean }) => {
        const view = await change(context, async (tx, audit) => {
          const known = (await gates(tx)).map((gate) => gate.name);
          for (const name of names) refuseUnknown("gate", name, known);
          for (const name of names) await switchGate(tx, audit, name, verb === "open");
          return (await gates(tx)).filter((gate) => names.includes(gate.name));
        });
        const lines = view.map((gate) => `${gate.name} is ${gate.open ? "open" : "closed"}`);
        show(context.io, flags.json, view, lines);
      });
}

function registerEntitlements(admin: Command, context: Context): void {
  const group = admin.command("entitlements").description("Grant and withdraw a firm's entitlements");
  group
    .command("list")
    .description("List a firm's entitlements")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: FirmFlags) => {
      const all = await look(context, async ({ read }) =>
        entitlementNamesOf(read, (await firmOf(read, flags.firm)).id),
      );
      show(context.io, flags.json, all, all);
    });
  for (const verb of ["grant", "withdraw"] as const)
    group
      .command(verb)
      .description(verb === "grant" ? "Grant an entitlement to a firm" : "Withdraw an entitlement from a firm")
      .addArgument(new Argument("<name>", entitlementNames.join(", ")))
      .option("--firm <firm>", "id or slug")
      .option("--json", jsonHelp)
      .action(async (name: string, flags: FirmFlags) => {
        const all = await change(context, async (tx, audit) => {
          const firm = await firmOf(tx, flags.firm);
          refuseUnknown("entitlement", name, await grantableEntitlements(tx, firm.id, entitlementNames));
          await (verb === "grant" ? entitle : disentitle)(tx, audit, firm.id, name);
          return entitlementNamesOf(tx, firm.id);
        });
        show(context.io, flags.json, all, all);
      });
}

/** `assay admin gates …` and `assay admin entitlements …` */
export function registerPermissionCommands(admin: Command, context: Context): void {
  registerGates(admin, context);
  registerEntitlements(admin, context);
}
