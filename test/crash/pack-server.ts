#!/usr/bin/env bun
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { createApp } from "../../src/app.ts";
import { issueAccessToken } from "../../src/identity/access-token.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { packServices } from "../support/pack-world.ts";

/**
 * `pack-server.ts DATABASE OWNER`: recovers a Market-Entry Pack from an earlier process, serves on a free port, and
 * kills itself with SIGKILL right after the first commit that changes a run or a study. Prints its address and an
 * access token of the person with the id OWNER. It survives while a pack waits for that person.
 */

const [file = "", owner = ""] = process.argv.slice(2);
const opened = openStore(file);
await migrate(opened);
const moves = new Set(["run.insert", "run.update", "validation.update"]);
const store: Store = {
  ...opened,
  async commit(transition) {
    const outcome = await opened.commit(transition);
    if (!outcome.refused && transition.actors.some(({ write }) => moves.has(write)))
      process.kill(process.pid, "SIGKILL");
    return outcome;
  },
};
const baseUrl = "http://127.0.0.1";
const app = await createApp({
  store,
  runtime: systemRuntime,
  log: createLog(systemRuntime, "error"),
  masterKey: new Uint8Array(32).fill(7),
  baseUrl,
  bodyLimit: 65_536,
  capabilities,
  useCases,
  stepEngines,
  services: await packServices(undefined, undefined, store),
});
const { token } = issueAccessToken(app.parts.keyring, baseUrl, owner, systemRuntime);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
process.stdout.write(`${JSON.stringify({ baseUrl: server.url.origin, token })}\n`);
await app.recover();
