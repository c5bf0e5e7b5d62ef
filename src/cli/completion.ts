import { Argument, type Command, type Option } from "commander";
import { bashScript } from "./completion-bash.ts";
import { fishScript } from "./completion-fish.ts";
import { zshScript } from "./completion-zsh.ts";
import type { Context } from "./context.ts";

/** Something that may be typed, and what it is. */
export interface Word {
  readonly text: string;
  readonly about: string;
}

/** What may follow: words that are known, or a file's name. */
export interface Values {
  readonly choices: readonly string[];
  readonly files: boolean;
}

export interface OptionNode extends Values {
  readonly flags: readonly string[];
  readonly about: string;
  readonly takesValue: boolean;
}

/** A command with what may follow it. `path` is how it is typed behind the program's name. */
export interface Node {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionNode[];
  /** Its arguments, the first one in front. */
  readonly values: Values;
}

/** A value that the help calls a file or a folder. */
const isFile = (name: string): boolean => /file|folder/.test(name);

function optionNode(option: Option): OptionNode {
  const { long, short, description, argChoices = [], required, optional, flags } = option;
  return {
    flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
    about: description,
    takesValue: required || optional,
    choices: argChoices,
    files: (required || optional) && isFile(flags),
  };
}

/** Every command of the tree, as its help shows it, with the program's own options wherever they may stand. */
export function nodesOf(program: Command): Node[] {
  const helper = program.createHelp();
  const walk = (command: Command, path: readonly string[]): Node[] => {
    const arguments_ = command.registeredArguments.filter((argument) => argument instanceof Argument);
    const subs = helper.visibleCommands(command);
    const own = {
      path: path.join(" "),
      commands: subs.map((sub) => ({ text: sub.name(), about: sub.description() })),
      options: helper.visibleOptions(command).map(optionNode),
      values: {
        choices: arguments_.flatMap(({ argChoices = [] }) => argChoices),
        files: arguments_.some((argument) => isFile(argument.name())),
      },
    };
    const names = { choices: subs.map((sub) => sub.name()), files: false };
    const help = { path: [...path, "help"].join(" "), commands: [], options: [], values: names };
    return [
      own,
      ...(subs.length > 0 ? [help] : []),
      ...command.commands.flatMap((sub) => walk(sub, [...path, sub.name()])),
    ];
  };
  return walk(program, []);
}

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };
const shellNames = Object.keys(shells) as (keyof typeof shells)[];

const help = `
Put it where your shell looks:
  bash  source <(assay completion bash)          in ~/.bashrc
  zsh   assay completion zsh > "\${fpath[1]}/_assay"
  fish  assay completion fish > ~/.config/fish/completions/assay.fish`;

/** `assay completion`: a script made from the commands as they are registered. */
export function register(program: Command, { io }: Context): void {
  program
    .command("completion")
    .helpGroup("This program:")
    .description("print a script that completes commands, options and their choices")
    .addArgument(new Argument("<shell>", "for which shell").choices(shellNames))
    .addHelpText("after", help)
    .action((shell: keyof typeof shells) => io.out(shells[shell](nodesOf(program))));
}
