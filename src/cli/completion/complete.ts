import type { Argument, Command, Option } from "commander";

/** How the shells' scripts know that files may follow: no command, option or choice begins with a colon. */
const files = ":files";

/** Something that may be typed, and what it is. */
interface Offer {
  readonly text: string;
  readonly about: string;
}

/** A value that the help calls a file or a folder. */
const isFile = (name: string): boolean => /file|folder/.test(name);
const takesValue = ({ required, optional }: Option): boolean => required || optional;
const plain = (text: string): Offer => ({ text, about: "" });

/** What an option's value, or an argument, may be. */
const valuesOf = ({ argChoices = [] }: Option | Argument, name: string): Offer[] =>
  [...argChoices, ...(isFile(name) ? [files] : [])].map(plain);

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);
const commandsOf = (command: Command): Offer[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((sub) => ({ text: sub.name(), about: sub.description() }));

/** The option of that name, of the command or of the program, whose own may come anywhere. */
const optionNamed = (program: Command, command: Command, name: string): Option | undefined =>
  [command, program].flatMap(optionsOf).find(({ long, short }) => name === long || name === short);

/** Where a command line has got to: its command, whether after `help`, and an option that still waits for its value. */
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

/** Everything that may follow. */
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
 * What may take the place of the last one of the words after the program's name: a line each, what it is after a tab;
 * `:files` for the names of files. The shells' scripts read it from `assay __complete`.
 */
export function completions(program: Command, typed: readonly string[]): string[] {
  // Bash makes three words of `--status=queued`, the others one.
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
