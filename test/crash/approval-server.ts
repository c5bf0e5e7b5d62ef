#!/usr/bin/env bun
import { openThreadedStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { operator } from "../../src/accounts/admin/audit-context.ts";
import { switchGate } from "../../src/accounts/admin/permissions.ts";
import { createApp } from "../../src/app.ts";
import { pathsOf, readMasterKey } from "../../src/cli/installation.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { issueAccessToken } from "../../src/identity/access-token.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { catalogueOf, scriptedEngines } from "../support/engines.ts";
import { testServices } from "../support/services.ts";
import { nameTargets, shortlist } from "../support/shortlist.ts";

/**
 * `approval-server.ts DATA OWNER`: serves a demo's folder on a free port, with the use case whose ten targets are
 * approved one by one. Prints its address and an access token of the person with the id OWNER.
 */

const [data = "", owner = ""] = process.argv.slice(2);
const { settings } = loadConfiguration({ env: {}, flags: { data } });
const paths = pathsOf(settings);
const runtime = systemRuntime;
const store = openThreadedStore(paths.database, { runtime, onFailure: () => process.exit(1) });
await migrate(store);
const act = { actor: operator, at: runtime.now(), runtime };
await store.write(async (tx) => {
  for (const name of ["echo", "shortlist"]) await switchGate(tx, act, name, true);
});
const log = createLog(runtime, "error");
const baseUrl = "http://127.0.0.1";
const engines = scriptedEngines();
engines.names.behave = nameTargets();
const app = await createApp({
  store,
  runtime,
  log,
  masterKey: present(readMasterKey(settings, paths), "the demo's master key"),
  baseUrl,
  bodyLimit: settings.body_limit,
  ...catalogueOf(engines),
  useCases: [shortlist],
  services: testServices({ log }),
});
const { token } = issueAccessToken(app.parts.keyring, baseUrl, owner, runtime);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
await app.recover();
process.stdout.write(`${JSON.stringify({ baseUrl: server.url.origin, token })}\n`);
