import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type Context, jsonHelp, printJson } from "./context.ts";

/** Version of the product. That of its API is in the OpenAPI document. */
export const version: string = manifest.version;

const platform = `${process.platform}-${process.arch}`;

/** Output of `assay version` and `assay --version`. */
export const versionLine = `assay ${version} (Bun ${Bun.version}, ${platform})`;

/** `assay version` */
export function register(program: Command, { io }: Context): void {
  program
    .command("version")
    .description("Print the version")
    .option("--json", jsonHelp)
    .action((flags: { json?: boolean }) => {
      if (flags.json) printJson(io, { version, bun: Bun.version, platform });
      else io.out(versionLine);
    });
}
