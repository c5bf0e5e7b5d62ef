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
 * Runs every health check, for `assay doctor` or for a running server, which passes what it has open. If the settings
 * would keep the server from starting, only they are reported.
 */
export async function checkHealth(
  runtime: Runtime,
  configuration: Configuration,
  running?: Running,
): Promise<HealthCheck[]> {
  const { settings } = configuration;
  const mistakes = settingMistakes(settings);
  if (mistakes.length > 0)
    return mistakes.map((line) => fail("configuration", line, "Correct it: the server does not start with it."));
  const checks = [...(await checkInstallation(runtime, configuration, running)), ...senderChecks(settings)];
  const paths = pathsOf(settings);
  // A database that can't be read has been reported.
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
