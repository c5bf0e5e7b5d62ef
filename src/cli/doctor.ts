import { existsSync } from "node:fs";
import type { Command } from "commander";
import { type Configuration, secretSettings, settingNames } from "../config/settings.ts";
import { type HealthCheck, warn } from "../platform/health-check.ts";
import { walkMcp } from "./client/mcp-walk.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { checkHealth } from "./health/health.ts";
import { checkLines } from "./health/lines.ts";
import { pathsOf } from "./installation.ts";
import { CommandError } from "./io.ts";
import { environmentOf } from "./service-unit.ts";
import { grid } from "./table.ts";

/** Returns the effective settings with their sources. A secret is shown as "set". */
function settingsTold({ settings, sources }: Configuration) {
  return settingNames.map((name) => {
    const value = settings[name];
    const shown = value === undefined ? null : secretSettings.has(name) ? "set" : value;
    return { name, value: shown, source: sources[name] };
  });
}

/** Reports a service's variables that were not read: without them, other settings are checked than the service has. */
function unreadVariables({ settings, envFile }: Configuration): HealthCheck[] {
  const file = environmentOf(pathsOf(settings).folder);
  if (envFile !== undefined || file === undefined || !existsSync(file)) return [];
  const advice = `Run it with \`--env-file ${file}\` to check the service with its settings.`;
  return [warn("service settings", `${file} was not read`, advice)];
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly mcp?: string | true;
}

/** Throws exit 1 if a check failed. Called after all checks have been printed. */
function failIfBroken(checks: readonly HealthCheck[]): void {
  if (checks.some(({ state }) => state === "fail"))
    throw new CommandError(1, "some checks failed", "Follow the advice above.");
}

async function doctorMcp({ io }: Context, { json, mcp }: DoctorFlags): Promise<void> {
  const checks = await walkMcp(io, mcp === true ? undefined : mcp);
  if (json) printJson(io, { ok: checks.every(({ state }) => state !== "fail"), checks });
  else for (const line of checks.flatMap((check) => checkLines(io, check))) io.out(line);
  failIfBroken(checks);
}

/** `assay doctor` */
export function register(program: Command, context: Context): void {
  const { io, configure } = context;
  program
    .command("doctor")
    .description("Show the effective configuration and check the installation's health; changes nothing")
    .option("--json", jsonHelp)
    .option("--mcp [url]", "check the connection to an MCP endpoint instead, step by step, as a client would")
    .action(async (flags: DoctorFlags) => {
      if (flags.mcp !== undefined) return doctorMcp(context, flags);
      const configuration = configure();
      const settings = settingsTold(configuration);
      const checks = [...unreadVariables(configuration), ...(await checkHealth(io.runtime, configuration))];
      const isBroken = checks.some((check) => check.state === "fail");
      if (flags.json) printJson(io, { ok: !isBroken, settings, checks });
      else {
        const rows = settings.map(({ name, value, source }) => [name, value === null ? "-" : String(value), source]);
        for (const line of grid(io, ["SETTING", "VALUE", "SOURCE"], rows)) io.out(line);
        io.out("");
        for (const line of checks.flatMap((check) => checkLines(io, check))) io.out(line);
      }
      failIfBroken(checks);
    });
}
