import type { Command } from "commander";
import { apiKeysOfFirm } from "../../db/queries/api-keys.ts";
import type { ApiKeyTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import type { Creation } from "../accounts/admin/audit-context.ts";
import { createApiKey, revokeKey } from "../accounts/admin/keys.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { isCalendarDate, isInstant } from "../platform/dates.ts";
import { change, firmOf, look, personOf, show, unknownIn, workspaceOf } from "./admin-run.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

interface CreateFlags {
  readonly name: string;
  readonly scopes: string;
  readonly firm?: string;
  readonly workspace?: string;
  readonly user?: string;
  readonly expires?: string;
  readonly json?: boolean;
}

/** A key as the API returns it, without its hash. */
const shown = (key: ApiKeyTable) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: JSON.parse(key.scopes_json) as string[],
  workspace_id: key.workspace_id,
  user_id: key.user_id,
  created_at: rfc3339(key.created_at),
  expires_at: rfc3339OrNull(key.expires_at),
  last_used_at: rfc3339OrNull(key.last_used_at),
  revoked_at: rfc3339OrNull(key.revoked_at),
});

/** Parses a future date or time into Unix milliseconds. Throws exit 2 otherwise. */
function expiry(text: string, now: number): number {
  const isWhole = isCalendarDate(text) || isInstant(text);
  const at = Date.parse(text);
  if (!isWhole || at <= now)
    throw new CommandError(2, "--expires must be a future date or time, up to the year 9999 (UTC), e.g. 2030-12-31");
  return at;
}

async function create(tx: Db, audit: Creation, flags: CreateFlags) {
  const firm = await firmOf(tx, flags.firm);
  return createApiKey(tx, audit, {
    firm_id: firm.id,
    workspace_id: (await workspaceOf(tx, firm, flags.workspace)).id,
    user_id: await personOf(tx, firm, flags.user),
    name: flags.name,
    scopes: flags.scopes.split(",").map((scope) => scope.trim()),
    expires_at: flags.expires === undefined ? null : expiry(flags.expires, audit.at),
  });
}

/** `assay admin keys …` */
export function registerKeyCommands(admin: Command, context: Context): void {
  const { io } = context;
  const keys = admin.command("keys").description("Manage API keys");
  keys
    .command("list")
    .description("List a firm's API keys")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; json?: boolean }) => {
      const all = await look(context, async ({ read }) => apiKeysOfFirm(read, (await firmOf(read, flags.firm)).id));
      const view = all.map(shown);
      const state = (key: (typeof view)[number]) =>
        key.revoked_at !== null
          ? "revoked"
          : key.expires_at !== null && key.expires_at <= rfc3339(io.runtime.now())
            ? "expired"
            : "active";
      const rows = view.map((key) => [
        key.id,
        key.name,
        key.prefix,
        state(key),
        key.scopes.join(","),
        key.last_used_at,
      ]);
      show(io, flags.json, view, grid(io, ["ID", "NAME", "PREFIX", "STATE", "SCOPES", "LAST USED"], rows));
    });
  keys
    .command("create")
    .description("Create an API key and print its secret")
    .requiredOption("--name <name>", "what the key is for")
    .requiredOption("--scopes <list>", "comma-separated scopes")
    .option("--firm <firm>", "id or slug")
    .option("--workspace <workspace>", "id or slug (default: the firm's first)")
    .option("--user <email>", "the key's owner (default: the firm's only user)")
    .option("--expires <time>", "date or time (default: never)")
    .option("--json", jsonHelp)
    .action(async (flags: CreateFlags) => {
      const { key, secret } = await change(context, (tx, audit) => create(tx, audit, flags));
      if (flags.json) return printJson(io, { ...shown(key), secret });
      io.out(secret);
      io.err(`created ${key.name} (${key.id}). The secret above is shown only once.`);
    });
  keys
    .command("revoke")
    .description("Revoke an API key")
    .argument("<key>", "the key's id")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: { firm?: string; json?: boolean }) => {
      const revoked = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        if (await revokeKey(tx, audit, firm.id, id)) return true;
        throw unknownIn(firm, "keys", `unrevoked key ${id}`);
      });
      show(io, flags.json, { id, revoked }, [`revoked ${id}`]);
    });
}
