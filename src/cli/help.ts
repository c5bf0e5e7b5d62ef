import { Help, type HelpConfiguration } from "commander";
import { wrap } from "./client/screen.ts";
import type { Io } from "./io.ts";

/** A description in a narrower column is hard to read: it goes below what it describes then. */
const narrowest = 28;
const margin = "      ";

/** Help is read by people wherever it goes: it is wrapped without a terminal too. */
export const helpColumns = ({ terminal, columns, errColumns }: Io): number => (terminal ? columns : errColumns);

/** Help that fits the terminal, for every command of the program. */
export const fittingHelp = (io: Io): HelpConfiguration => ({
  formatItem(term, termWidth, description, helper) {
    const beside = helpColumns(io) - termWidth - 4;
    if (description === "" || beside >= narrowest)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return [`  ${term}`, ...wrap(description, helpColumns(io) - margin.length).map((line) => margin + line)].join("\n");
  },
  minWidthToWrap: narrowest,
  // Without [options]: nearly all have some, and what is listed is not loaded yet.
  subcommandTerm: (command) => Help.prototype.subcommandTerm(command).replace(" [options]", ""),
});

/** A sentence below a command's help. */
export const note = (io: Io, text: string) => () => `\n${wrap(text, helpColumns(io)).join("\n")}`;
