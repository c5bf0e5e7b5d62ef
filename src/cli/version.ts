import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type Context, jsonHelp, printJson } from "./context.ts";

/** The product's version, which is the API's too. */
export const version: string = manifest.version;

/** `assay version` */
export function register(program: Command, { io }: Context): void {
  program
    .command("version")
    .helpGroup("This program:")
    .description("print the version")
    .option("--json", jsonHelp)
    .action((flags: { json?: boolean }) => {
      const told = { version, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
      if (flags.json) printJson(io, told);
      else io.out(`assay ${told.version} (Bun ${told.bun}, ${told.platform})`);
    });
}
