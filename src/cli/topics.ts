import type { Command } from "commander";
import { settingNames } from "../config/settings.ts";
import { suggestions } from "../platform/suggest.ts";
import { harmless, wrap } from "./client/screen.ts";
import { helpColumns } from "./help.ts";
import { CommandError, type Io } from "./io.ts";

/** A line of a help topic. */
type Entry = readonly [term: string, meaning: string];

interface Topic {
  readonly about: string;
  readonly lead: string;
  readonly entries: () => readonly Entry[];
}

const exitCodes: readonly Entry[] = [
  ["0", "done"],
  ["1", "any other failure: the reason is on stderr"],
  ["2", "usage: an argument, an option or a setting is wrong"],
  ["3", "authentication: the API answered 401 or 403"],
  ["4", "quota or credits: the API answered 402, or the run was refused for want of credits"],
  ["130", "stopped by Ctrl-C. A run that was started goes on"],
];

const environment: readonly Entry[] = [
  ["ASSAY_BASE_URL", "the server to talk to; wins over that of `assay login`. For `serve`, its public address"],
  ["ASSAY_API_KEY", "the API key to show; wins over that of `assay login`"],
  ["ASSAY_ACCESS_TOKEN", "a person's access token, for approvals and where no key is set"],
  ["ASSAY_PROFILE", "the sign-in to use, by its name in `assay profile list`"],
  ["XDG_CONFIG_HOME", "where assay/config.json lies, with what `assay login` keeps; else ~/.config"],
  ["COLUMNS", "the width that output on a terminal has to fit"],
  ["NO_COLOR", "set to anything: no colour. TERM=dumb does the same"],
  ["BROWSER", "the program that `assay login` opens"],
];

const variables = (): readonly Entry[] => [
  ...environment,
  ["ASSAY_…", `a setting of the server, its name in capitals: ${settingNames.join(", ")}`],
];

/** The topics of `assay help TOPIC` besides the commands. */
export const topics: Readonly<Record<string, Topic>> = {
  "exit-codes": {
    about: "what a command's exit code says",
    lead: "Every command ends with one of these. Under --json the API's error is on stdout too.",
    entries: () => exitCodes,
  },
  environment: {
    about: "variables that are read",
    lead: "Flags win over variables, and variables over files.",
    entries: variables,
  },
};

/** Returns the lines of a topic's page. */
export function topicLines(io: Io, { lead, entries }: Topic): string[] {
  const columns = helpColumns(io);
  const rows = entries();
  const terms = Math.max(...rows.map(([term]) => term.length)) + 2;
  const beside = Math.max(columns - terms - 2, 20);
  const lines = rows.flatMap(([term, meaning]) =>
    wrap(meaning, beside).map((line, i) => `  ${(i === 0 ? term : "").padEnd(terms)}${line}`),
  );
  return [...wrap(lead, columns), "", ...lines];
}

/** Throws exit 2, with a suggestion, if there is no help for a word. */
export function checkTopic(word: string | undefined, commands: readonly Command[]): void {
  const known = [
    ...commands.flatMap((command) => [command.name(), ...command.aliases()]),
    "help",
    ...Object.keys(topics),
  ];
  if (word === undefined || word.startsWith("-") || known.includes(word)) return;
  const [meant] = suggestions(word, known);
  const advice = meant === undefined ? "`assay help` lists commands and topics." : `Did you mean ${meant}?`;
  throw new CommandError(2, `there is no help about ${harmless(word)}`, advice);
}

/** Returns the command that words such as `admin users` name, or the program itself. Throws exit 2 if unknown. */
export function commandAbout(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words.filter((one) => !one.startsWith("-"))) {
    checkTopic(word, found.commands);
    found = found.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? found;
  }
  return found;
}

/** Returns the topics section of the program's help. */
export const topicList = (): string =>
  ["", "Topics:", ...Object.entries(topics).map(([name, { about }]) => `  help ${name.padEnd(14)}${about}`)].join("\n");
