import { Argument, type Command } from "commander";
import type { Context } from "../context.ts";
import bash from "./assay.bash" with { type: "text" };
import fish from "./assay.fish" with { type: "text" };
import zsh from "./assay.zsh" with { type: "text" };

const scripts = { bash, zsh, fish };
const shells = Object.keys(scripts) as (keyof typeof scripts)[];

const help = `
Load it in your shell:
  bash  source <(assay completion bash)          in ~/.bashrc
  zsh   assay completion zsh > "\${fpath[1]}/_assay"
  fish  assay completion fish > ~/.config/fish/completions/assay.fish`;

/** `assay completion`: prints a script that asks this program for completions. */
export function register(program: Command, { io }: Context): void {
  program
    .command("completion")
    .description("Print a shell completion script for commands, options and their choices")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", help)
    .action((shell: keyof typeof scripts) => io.out(scripts[shell].trimEnd()));
}
