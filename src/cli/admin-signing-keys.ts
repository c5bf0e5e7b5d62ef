import type { Command } from "commander";
import { signingKeys } from "../../db/queries/signing-keys.ts";
import { operator, record } from "../accounts/admin/audit-context.ts";
import { rotateSigningKey } from "../identity/keyring.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { look, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { ensureMasterKey, pathsOf, withStore } from "./installation.ts";
import { grid } from "./table.ts";

/** Creates the next signing key, encrypted under the master key, and audits it. Returns the key's id. */
async function rotate({ io: { runtime }, configure }: Context): Promise<string> {
  const { settings } = configure();
  const paths = pathsOf(settings);
  return withStore(paths, async (store) => {
    const masterKey = await ensureMasterKey(runtime, settings, paths, store);
    return store.write(async (tx) => {
      const at = runtime.now();
      const kid = await rotateSigningKey(tx, runtime, masterKey, at);
      await record(tx, { actor: operator, at }, "signing_key.rotated", kid, null);
      return kid;
    });
  });
}

/** `assay admin signing-keys …`: the keys that sign tokens and receipts. */
export function registerSigningKeyCommands(admin: Command, context: Context): void {
  const { io } = context;
  const keys = admin.command("signing-keys").description("List and rotate the keys that sign tokens and receipts");
  keys
    .command("list")
    .description("List signing keys, newest first; retired keys are kept to verify what they signed")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const all = await look(context, async ({ read }) => signingKeys(read));
      const view = all.map((key) => ({
        id: key.id,
        state: key.retired_at === null ? "in use" : "retired",
        created_at: rfc3339(key.created_at),
        retired_at: rfc3339OrNull(key.retired_at),
      }));
      const rows = view.map((key) => [key.id, key.state, key.created_at, key.retired_at]);
      show(io, flags.json, view, grid(io, ["ID", "STATE", "CREATED", "RETIRED"], rows));
    });
  keys
    .command("rotate")
    .description("Create a new key and retire the current one, which is kept to verify what it signed")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const id = await rotate(context);
      show(io, flags.json, { id }, [`created ${id}. A running server signs with it within two minutes.`]);
    });
}
