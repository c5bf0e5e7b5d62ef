import { Help, type HelpConfiguration } from "commander";
import { wrap } from "./client/screen.ts";
import type { Io } from "./io.ts";

/** Minimum width, in columns, of a description next to its term. With less room it goes below the term. */
const narrowest = 28;
const margin = "      ";

/** Returns the width of help, in columns. Help is wrapped even without a terminal. */
export const helpColumns = ({ terminal, columns, errColumns }: Io): number => (terminal ? columns : errColumns);

/** Returns the help configuration of every command, which fits help to the terminal. */
export const fittingHelp = (io: Io): HelpConfiguration => ({
  formatItem(term, termWidth, description, helper) {
    const beside = helpColumns(io) - termWidth - 4;
    if (description === "" || beside >= narrowest)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return [`  ${term}`, ...wrap(description, helpColumns(io) - margin.length).map((line) => margin + line)].join("\n");
  },
  minWidthToWrap: narrowest,
  // Without [options]: nearly all commands have some, and the listed ones are not loaded yet.
  subcommandTerm: (command) => Help.prototype.subcommandTerm(command).replace(" [options]", ""),
});

/** Returns a note to print below a command's help. */
export const note = (io: Io, text: string) => () => `\n${wrap(text, helpColumns(io)).join("\n")}`;
