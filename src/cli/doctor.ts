import type { Command } from "commander";
import { type Configuration, secretSettings, settingNames } from "../config.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { type Checkup, examine } from "./examination.ts";
import { CommandError } from "./io.ts";
import { grid } from "./table.ts";

/** The effective settings with their sources, a secret as "set". */
function settingsTold({ settings, sources }: Configuration) {
  return settingNames.map((name) => {
    const value = settings[name];
    const shown = value === undefined ? null : secretSettings.has(name) ? "set" : value;
    return { name, value: shown, source: sources[name] };
  });
}

const signs = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

/** A check's lines: what was found, and what to do about it. */
const checkupLines = ({ state, about, found, advice }: Checkup): string[] => [
  `${signs[state]}  ${about}: ${found}`,
  ...(advice === undefined ? [] : [`      ${advice}`]),
];

/** `assay doctor` */
export function register(program: Command, { io, configure }: Context): void {
  program
    .command("doctor")
    .description("show the effective configuration and the installation's health, with advice; changes nothing")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const configuration = configure();
      const settings = settingsTold(configuration);
      const checks = await examine(configuration);
      const isBroken = checks.some((check) => check.state === "fail");
      if (flags.json) printJson(io, { ok: !isBroken, settings, checks });
      else {
        const rows = settings.map(({ name, value, source }) => [name, value === null ? "-" : String(value), source]);
        for (const line of grid(io, ["SETTING", "VALUE", "SOURCE"], rows)) io.out(line);
        io.out("");
        for (const line of checks.flatMap(checkupLines)) io.out(line);
      }
      if (isBroken) throw new CommandError(1, "something is broken", "Follow the advice above.");
    });
}
