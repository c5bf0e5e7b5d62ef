import { commandName } from "./command-name.ts";

/** Resolves at the first SIGINT or SIGTERM, with its name as the reason; a second one ends the process at once. */
function listenForStop(): AbortSignal {
  const asked = new AbortController();
  const hear = (signal: NodeJS.Signals) => {
    if (asked.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 1);
    asked.abort(signal);
  };
  process.on("SIGINT", hear);
  process.on("SIGTERM", hear);
  return asked.signal;
}

/**
 * Aborted when a server is asked to stop; its reason is the signal's name. Listens from the moment this module is loaded,
 * which `main.ts` does first of all: a server may be asked to stop before its code is there. Other commands are ended by
 * the signal itself, and hear nothing here.
 */
export const stopRequested: AbortSignal =
  commandName(process.argv.slice(2)) === "serve" ? listenForStop() : new AbortController().signal;
