import type { Argument, Command, Option } from "commander";

/** Makes the shell scripts complete file names. No command, option or choice begins with a colon. */
const files = ":files";

/** A completion and its description. */
interface Offer {
  readonly text: string;
  readonly about: string;
}

/** Returns whether a value is named as a file or folder in help. */
const isFile = (name: string): boolean => /file|folder/.test(name);
const takesValue = ({ required, optional }: Option): boolean => required || optional;
const plain = (text: string): Offer => ({ text, about: "" });

/** Returns the completions of an option's value or of an argument. */
const valuesOf = ({ argChoices = [] }: Option | Argument, name: string): Offer[] =>
  [...argChoices, ...(isFile(name) ? [files] : [])].map(plain);

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);
const commandsOf = (command: Command): Offer[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((sub) => ({ text: sub.name(), about: sub.description() }));

/** Returns the option with this name, of the command or of the program, whose options may come anywhere. */
const optionNamed = (program: Command, command: Command, name: string): Option | undefined =>
  [command, program].flatMap(optionsOf).find(({ long, short }) => name === long || name === short);

/** A partial command line: its command, whether it follows `help`, and an option that still needs its value. */
interface Place {
  readonly command: Command;
  readonly helping: boolean;
  readonly waiting: Option | undefined;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  let command = program;
  let helping = false;
  let waiting: Option | undefined;
  for (const word of words) {
    const isValue: boolean = waiting !== undefined;
    waiting = undefined;
    if (isValue) continue;
    const option = optionNamed(program, command, word);
    if (option && takesValue(option)) waiting = option;
    command = command.commands.find((sub) => sub.name() === word) ?? command;
    helping ||= word === "help";
  }
  return { command, helping, waiting };
}

/** Returns everything that may come next. */
function offersAt({ command, helping, waiting }: Place): Offer[] {
  if (waiting) return valuesOf(waiting, waiting.flags);
  const commands = commandsOf(command).filter(({ text }) => !helping || text !== "help");
  if (helping) return commands;
  const options = optionsOf(command).flatMap(({ long, short, description }) =>
    [long, short].flatMap((text) => (text ? [{ text, about: description }] : [])),
  );
  const values = command.registeredArguments.flatMap((argument) => valuesOf(argument, argument.name()));
  return [...commands, ...values, ...options];
}

/**
 * Returns the completions of the last word after the program's name, one per line with a description after a tab, or
 * `:files` for file names. The shell scripts read them from `assay __complete`.
 */
export function completions(program: Command, typed: readonly string[]): string[] {
  // Bash splits `--status=queued` into three words; the other shells do not.
  const words = typed.filter((word, i) => word !== "=" || i === typed.length - 1);
  const last = (words.at(-1) ?? "").replace(/^=$/, "");
  const before = words.slice(0, -1);
  const [, assigned = ""] = /^(--[^=]+=)/.exec(last) ?? [];
  const place = placeAfter(program, assigned === "" ? before : [...before, assigned.slice(0, -1)]);
  return offersAt(place).flatMap(({ text, about }) => {
    if (text === files) return [files];
    const whole = assigned + text;
    return whole.startsWith(last) ? [`${whole}\t${about.replaceAll(/\s+/g, " ")}`] : [];
  });
}
