import { openLook } from "../../../db/sqlite/look.ts";
import { settingMistakes } from "../../config/operations.ts";
import type { Configuration } from "../../config/settings.ts";
import { fail, type HealthCheck } from "../../platform/health-check.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { pathsOf } from "../installation.ts";
import { hasDatabase } from "../lost-database.ts";
import { checkInstallation, type Running } from "./installation.ts";
import { outboxChecks, senderChecks } from "./mail.ts";

/**
 * Every health check, for `assay doctor` and for the server itself, which hands in what it has open. With settings that
 * the server refuses to start with, that is all there is to say.
 */
export async function checkHealth(
  runtime: Runtime,
  configuration: Configuration,
  running?: Running,
): Promise<HealthCheck[]> {
  const { settings } = configuration;
  const mistakes = settingMistakes(settings);
  if (mistakes.length > 0)
    return mistakes.map((line) => fail("configuration", line, "Correct it: the server does not start."));
  const checks = [...(await checkInstallation(runtime, configuration, running)), ...senderChecks(settings)];
  const paths = pathsOf(settings);
  // What can't be read has been said.
  if (settings.mail_url === undefined || !hasDatabase(paths) || checks.some(({ state }) => state === "fail"))
    return checks;
  if (running) return [...checks, ...(await outboxChecks(running.store))];
  const store = openLook(paths.database);
  try {
    return [...checks, ...(await outboxChecks(store))];
  } finally {
    await store.close();
  }
}
