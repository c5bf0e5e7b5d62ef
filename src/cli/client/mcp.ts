import type { Command } from "commander";
import type { Io } from "../io.ts";
import { registerMcpInstall } from "./mcp-install.ts";
import type { StdioOptions } from "./mcp-stdio.ts";
import { serverHelp } from "./settings.ts";

/** `assay mcp install|stdio`. */
export function registerMcp(program: Command, io: Io): void {
  const mcp = program.command("mcp").description("Connect AI clients over the Model Context Protocol");
  registerMcpInstall(mcp, io);
  mcp
    .command("stdio")
    .description("Serve MCP on stdin and stdout, for clients that start a program; forwards to /mcp")
    .option("--base-url <url>", serverHelp)
    .action(async (options: StdioOptions) => {
      // The protocol's SDK is large, and no other command needs it.
      const { runBridge } = await import("./mcp-stdio.ts");
      await runBridge(io, options);
    });
}
