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
  ["0", "success"],
  ["1", "any other failure: the reason is on stderr"],
  ["2", "usage: an argument, an option or a setting is invalid"],
  ["3", "authentication: the API answered 401 or 403"],
  ["4", "quota or credits: the API answered 402, or the run was refused for lack of credits"],
  ["130", "stopped by Ctrl-C; a run that was started continues"],
];

const environment: readonly Entry[] = [
  ["ASSAY_BASE_URL", "the server's address; overrides that of `assay login`. For `serve`, its public address"],
  ["ASSAY_API_KEY", "the API key; overrides that of `assay login`"],
  ["ASSAY_ACCESS_TOKEN", "a person's access token, for approvals, and for everything else if no key is set"],
  ["ASSAY_PROFILE", "the sign-in to use, by its name in `assay profile list`"],
  [
    "XDG_CONFIG_HOME",
    "the folder of assay/config.json, where `assay login` stores its credentials (default: ~/.config)",
  ],
  ["COLUMNS", "the width of output on a terminal"],
  ["NO_COLOR", "disables colour if set, as does TERM=dumb"],
  ["BROWSER", "the browser that `assay login` opens"],
];

const variables = (): readonly Entry[] => [
  ...environment,
  ["ASSAY_…", `a setting of the server, its name in capitals: ${settingNames.join(", ")}`],
];

/** The topics of `assay help TOPIC` besides the commands. */
export const topics: Readonly<Record<string, Topic>> = {
  "exit-codes": {
    about: "Exit codes of commands",
    lead: "Every command exits with one of these codes. With --json, the API's error is also printed on stdout.",
    entries: () => exitCodes,
  },
  environment: {
    about: "Environment variables",
    lead: "Flags override variables, and variables override files.",
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
  throw new CommandError(2, `there is no help for ${harmless(word)}`, advice);
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
