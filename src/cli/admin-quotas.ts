import { Argument, type Command, Option } from "commander";
import { apiKeysOfFirm } from "../../db/queries/api-keys.ts";
import { quotasOf } from "../../db/queries/entitlements.ts";
import { anybody, type LimitKey, limitsOf } from "../../db/queries/limits.ts";
import { usesIn } from "../../db/queries/uses.ts";
import type { FirmTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import { limitMonthly, limitRuns, unlimitMonthly, unlimitRuns } from "../accounts/admin/permissions.ts";
import { connectorSlugs } from "../accounts/admin/views.ts";
import {
  isMonthlyName,
  type MonthlyName,
  monthlyFor,
  monthlyNames,
  monthlyQuotas,
  monthOf,
} from "../execution/usage/quota.ts";
import { rfc3339 } from "../platform/clock.ts";
import { refuseUnknown, sold } from "./admin-permissions.ts";
import { change, firmOf, look, personOf, show, unknownIn } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

interface Flags {
  readonly firm?: string;
  readonly key?: string;
  readonly user?: string;
  readonly everywhere?: boolean;
  readonly json?: boolean;
}

/** Describes who a limit applies to. */
const forWhom = (name: string, firm_id: string, subject: string): string => {
  if (subject !== anybody) return subject;
  const kind = isMonthlyName(name) && monthlyQuotas[name] === "key" ? "each key" : "each user";
  return firm_id === anybody ? `${kind} of every firm` : kind;
};

/** Returns a firm's limits, then the installation's, which apply where the firm has none. */
async function quotas(db: Db, firm: FirmTable | undefined) {
  const runs = firm ? await quotasOf(db, firm.id) : [];
  const own = firm ? await limitsOf(db, firm.id) : [];
  const monthly = [...own, ...(await limitsOf(db, anybody))];
  return [
    ...runs.map(({ capability, monthly_runs, changed_at }) => ({
      capability,
      for: "the firm",
      monthly_runs,
      changed_at,
    })),
    ...monthly.map(({ name, firm_id, subject, monthly: monthly_runs, changed_at }) => {
      return { capability: name, for: forWhom(name, firm_id, subject), monthly_runs, changed_at };
    }),
  ].map((quota) => ({ ...quota, changed_at: rfc3339(quota.changed_at) }));
}

async function keyOf(db: Db, firm: FirmTable, id: string): Promise<string> {
  const key = (await apiKeysOfFirm(db, firm.id)).find((one) => one.id === id || one.prefix === id);
  if (key) return key.id;
  throw unknownIn(firm, "keys", `key ${id}`);
}

/** Returns the firm that the flags select; `undefined` with `--everywhere`. */
async function firmFor(db: Db, flags: Flags): Promise<FirmTable | undefined> {
  if (!flags.everywhere) return firmOf(db, flags.firm);
  if (flags.firm !== undefined || flags.key !== undefined || flags.user !== undefined)
    throw new CommandError(2, "--everywhere applies to every firm: leave out --firm, --key and --user");
  return undefined;
}

async function limitFor(db: Db, name: MonthlyName, firm: FirmTable | undefined, flags: Flags): Promise<LimitKey> {
  const kind = monthlyQuotas[name];
  const other = kind === "key" ? "user" : "key";
  if (flags[other] !== undefined) throw new CommandError(2, `${name} are counted by ${kind}, not by ${other}`);
  if (!firm) return { firm_id: anybody, subject: anybody, name };
  if (flags.key !== undefined) return { firm_id: firm.id, subject: `key:${await keyOf(db, firm, flags.key)}`, name };
  if (flags.user !== undefined)
    return { firm_id: firm.id, subject: `user:${await personOf(db, firm, flags.user)}`, name };
  return { firm_id: firm.id, subject: anybody, name };
}

/** Returns the firm whose runs of `slug` are limited. Throws exit 2 for an unknown slug or flags of other limits. */
async function runsOf(
  db: Db,
  firm: FirmTable | undefined,
  slug: string,
  { isCleared, ...flags }: Flags & { readonly isCleared: boolean },
): Promise<FirmTable> {
  const own = firm ? await connectorSlugs(db, firm.id) : [];
  // A limit can be cleared even if what it limits no longer exists.
  const limited = firm ? (await quotasOf(db, firm.id)).map(({ capability }) => capability) : [];
  refuseUnknown("capability, use case or monthly quota", slug, [
    ...new Set([...sold, ...own, ...monthlyNames, ...(isCleared ? limited : [])]),
  ]);
  if (firm && flags.key === undefined && flags.user === undefined) return firm;
  throw new CommandError(2, `runs of ${slug} are limited per firm`, "Leave out --key, --user and --everywhere.");
}

const addWhom = (command: Command): Command =>
  command
    .addArgument(new Argument("<slug>", `a capability or use case, or one of ${monthlyNames.join(", ")}`))
    .option("--firm <firm>", "id or slug")
    .addOption(new Option("--key <key>", "only for this API key, by id or prefix").conflicts("user"))
    .option("--user <email>", "only for this user")
    .option("--everywhere", "for each key or user of every firm without its own limit")
    .option("--json", jsonHelp);

/** `assay admin quotas used`: this month's usage of the firm, its keys and its users. */
function registerUsed(group: Command, context: Context): void {
  group
    .command("used")
    .description("Show what a firm has used of its quotas this month (UTC)")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: Flags) => {
      const period = monthOf(context.io.runtime.now());
      const uses = await look(context, async ({ read }) => usesIn(read, (await firmOf(read, flags.firm)).id, period));
      const all = uses.map(({ name, used }) => {
        const [capability = "", subject = "the firm"] = name.replace(/^runs:/, "").split("@");
        return { capability, by: subject, month: period, used };
      });
      const rows = all.map((use) => [use.capability, use.by, use.month, use.used]);
      show(context.io, flags.json, all, grid(context.io, ["WHAT", "BY", "MONTH", "USED"], rows));
    });
}

/** `assay admin quotas …` */
export function registerQuotaCommands(admin: Command, context: Context): void {
  const group = admin.command("quotas").description("Limit what a firm, key or user can use in a calendar month (UTC)");
  const print = (flags: Flags, all: Awaited<ReturnType<typeof quotas>>) => {
    const rows = all.map((quota) => [quota.capability, quota.for, quota.monthly_runs, quota.changed_at]);
    show(context.io, flags.json, all, grid(context.io, ["WHAT", "FOR", "PER MONTH", "CHANGED"], rows));
  };
  group
    .command("list")
    .description("List the limits that apply to a firm")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: Flags) => {
      print(flags, await look(context, async ({ read }) => quotas(read, await firmFor(read, flags))));
    });
  registerUsed(group, context);
  addWhom(group.command("set").description("Set a limit"))
    .requiredOption("--runs <number>", "maximum per calendar month (UTC)", wholeNumber)
    .action(async (slug: string, flags: Flags & { runs: number }) => {
      const all = await change(context, async (tx, audit) => {
        const firm = await firmFor(tx, flags);
        if (isMonthlyName(slug)) await limitMonthly(tx, audit, await limitFor(tx, slug, firm, flags), flags.runs);
        else
          await limitRuns(
            tx,
            audit,
            (await runsOf(tx, firm, slug, { ...flags, isCleared: false })).id,
            slug,
            flags.runs,
          );
        return quotas(tx, firm);
      });
      const other = monthlyFor(slug);
      if (other)
        context.io.err(`note: this limits only runs of ${slug}; ${other} counts every use, including its direct route`);
      print(flags, all);
    });
  addWhom(group.command("clear").description("Clear a limit")).action(async (slug: string, flags: Flags) => {
    const all = await change(context, async (tx, audit) => {
      const firm = await firmFor(tx, flags);
      if (isMonthlyName(slug)) await unlimitMonthly(tx, audit, await limitFor(tx, slug, firm, flags));
      else await unlimitRuns(tx, audit, (await runsOf(tx, firm, slug, { ...flags, isCleared: true })).id, slug);
      return quotas(tx, firm);
    });
    print(flags, all);
  });
}
