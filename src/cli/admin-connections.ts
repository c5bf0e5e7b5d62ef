import type { Command } from "commander";
import { allOAuthClients } from "../../db/queries/oauth-clients.ts";
import { connectionsOfFirm } from "../../db/queries/oauth-connections.ts";
import { unscoped } from "../../db/tenancy.ts";
import { endConnection, removeClient } from "../accounts/oauth/manage.ts";
import { connectionRecord } from "../accounts/oauth/schema.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { change, firmOf, look, show, unknownIn } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

type Row = Awaited<ReturnType<typeof allOAuthClients>>[number];

const shown = (client: Row) => ({
  client_id: client.id,
  client_name: client.name,
  client_uri: client.client_uri,
  redirect_uris: JSON.parse(client.redirect_uris_json) as string[],
  connections: client.connections ?? 0,
  created_at: rfc3339(client.created_at),
  last_used_at: rfc3339OrNull(client.last_used_at),
});

interface Flags {
  readonly firm?: string;
  readonly json?: boolean;
}

/** `assay admin oauth-clients …`: OAuth clients that registered themselves. */
function registerClientCommands(admin: Command, context: Context): void {
  const { io } = context;
  const clients = admin
    .command("oauth-clients")
    .description("List and remove OAuth clients that registered themselves over MCP");
  const all = () => look(context, async ({ read }) => (await allOAuthClients(unscoped(read))).map(shown));
  clients
    .command("list")
    .description("List registered clients")
    .option("--json", jsonHelp)
    .action(async (flags: Flags) => {
      const view = await all();
      const rows = view.map((one) => [
        one.client_id,
        one.client_name,
        one.connections,
        one.created_at,
        one.last_used_at,
      ]);
      show(io, flags.json, view, grid(io, ["CLIENT", "NAME", "CONNECTIONS", "REGISTERED", "LAST USED"], rows));
    });
  clients
    .command("show")
    .description("Show a client")
    .argument("<client>", "the client's id")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: Flags) => {
      const client = (await all()).find(({ client_id }) => client_id === id);
      if (!client)
        throw new CommandError(2, `there is no client ${id}`, "`assay admin oauth-clients list` shows them.");
      const lines = Object.entries(client).map(([name, value]) => {
        const text = Array.isArray(value) ? value.join(" ") : (value ?? "-");
        return `${name.padEnd(14)} ${text}`;
      });
      show(io, flags.json, client, lines);
    });
  clients
    .command("remove")
    .description("Remove a client and revoke its connections at once")
    .argument("<client>", "the client's id")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: Flags) => {
      const connections = await change(context, (tx, audit) => removeClient(tx, audit, id));
      if (connections === undefined)
        throw new CommandError(2, `there is no client ${id}`, "`assay admin oauth-clients list` shows them.");
      const view = { client_id: id, removed: true, connections_ended: connections };
      show(io, flags.json, view, [`removed ${id} and ended ${connections} connections`]);
    });
}

/** `assay admin connections …` and `assay admin oauth-clients …` */
export function registerConnectionCommands(admin: Command, context: Context): void {
  const { io } = context;
  const connections = admin.command("connections").description("List and revoke the MCP connections of a firm's users");
  connections
    .command("list")
    .description("List connections")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (flags: Flags) => {
      const rows = await look(context, async ({ read }) =>
        connectionsOfFirm(read, (await firmOf(read, flags.firm)).id),
      );
      const view = rows.map((row) => ({ ...connectionRecord(row), user: row.email }));
      const lines = view.map((one) => [
        ...[one.id, one.name, one.kind, one.user, one.revoked_at === null ? "active" : "revoked"],
        ...[one.scopes.join(","), one.last_used_at],
      ]);
      const titles = ["ID", "NAME", "KIND", "USER", "STATE", "SCOPES", "LAST USED"];
      show(io, flags.json, view, grid(io, titles, lines));
    });
  connections
    .command("revoke")
    .description("Revoke a connection, effective from its next request")
    .argument("<connection>", "the connection's id")
    .option("--firm <firm>", "id or slug")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: Flags) => {
      const revoked = await change(context, async (tx, audit) => {
        const firm = await firmOf(tx, flags.firm);
        if (await endConnection(tx, audit, firm.id, id)) return true;
        throw unknownIn(firm, "connections", `active connection ${id}`);
      });
      show(io, flags.json, { id, revoked }, [`revoked ${id}`]);
    });
  registerClientCommands(admin, context);
}
