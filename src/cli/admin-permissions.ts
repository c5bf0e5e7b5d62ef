import { Argument, type Command } from "commander";
import { connectorsOf } from "../../db/queries/connectors.ts";
import { allGates, entitlementsOf } from "../../db/queries/entitlements.ts";
import type { Db } from "../../db/store.ts";
import { disentitle, entitle, switchGate } from "../accounts/admin/permissions.ts";
import { entitledScopes } from "../contracts/scopes.ts";
import { rfc3339OrNull } from "../platform/clock.ts";
import { capabilities } from "../products/capabilities/index.ts";
import { connectorEntitlement } from "../products/connectors/manifest.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { platformGate } from "../registry/registry.ts";
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
/** Marks and tiers of a firm that no manifest names. */
const marks = ["verified_workspace", "partner-tool", "enterprise"];
const entitlementNames = [
  ...new Set([...entitledScopes, ...capabilities.flatMap((capability) => capability.entitlements), ...marks]),
];

/** Exit 2 with the names that there are. */
export function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw new CommandError(2, `there is no ${what} ${name}`, `Known are: ${known.join(", ")}`);
}

/** Every gate there can be, with its state: one never touched is closed. */
async function gates(db: Db) {
  const rows = new Map((await allGates(db)).map((gate) => [gate.name, gate]));
  return [...new Set([platformGate, ...sold, ...rows.keys()])].map((name) => {
    const row = rows.get(name);
    const changed_at = rfc3339OrNull(row?.changed_at ?? null);
    return { name, open: row?.open === 1, changed_at, changed_by: row?.changed_by ?? null };
  });
}

function registerGates(admin: Command, context: Context): void {
  const group = admin.command("gates").description("what may be run at all");
  group
    .command("list")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const all = await look(context, ({ read }) => gates(read));
      const rows = all.map((gate) => [gate.name, gate.open ? "open" : "closed", gate.changed_at, gate.changed_by]);
      show(context.io, flags.json, all, grid(context.io, ["GATE", "STATE", "CHANGED", "BY"], rows));
    });
  for (const verb of ["open", "close"] as const)
    group
      .command(verb)
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

/** Slugs of a firm's own connectors. */
export const connectorSlugs = async (db: Db, firm_id: string): Promise<string[]> =>
  (await connectorsOf(db, firm_id)).map(({ slug }) => slug);

async function held(db: Db, firm_id: string): Promise<string[]> {
  return (await entitlementsOf.all(db, { firm_id })).map((entitlement) => entitlement.name);
}

function registerEntitlements(admin: Command, context: Context): void {
  const group = admin.command("entitlements").description("what a firm holds besides what every firm may do");
  group
    .command("list")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: FirmFlags) => {
      const all = await look(context, async ({ read }) => held(read, (await firmOf(read, flags.firm)).id));
      show(context.io, flags.json, all, all);
    });
  for (const verb of ["grant", "withdraw"] as const)
    group
      .command(verb)
      .addArgument(new Argument("<name>", entitlementNames.join(", ")))
      .option("--firm <firm>", "id or slug")
      .option("--json", jsonHelp)
      .action(async (name: string, flags: FirmFlags) => {
        const all = await change(context, async (tx, audit) => {
          const firm = await firmOf(tx, flags.firm);
          const present = await held(tx, firm.id);
          const own = (await connectorSlugs(tx, firm.id)).map(connectorEntitlement);
          refuseUnknown("entitlement", name, [...new Set([...entitlementNames, ...own, ...present])]);
          await (verb === "grant" ? entitle : disentitle)(tx, audit, firm.id, name);
          return held(tx, firm.id);
        });
        show(context.io, flags.json, all, all);
      });
}

/** `assay admin gates …` and `assay admin entitlements …` */
export function registerPermissionCommands(admin: Command, context: Context): void {
  registerGates(admin, context);
  registerEntitlements(admin, context);
}
