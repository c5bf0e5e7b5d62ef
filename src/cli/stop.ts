import { commandName } from "./command-name.ts";

/** Returns a signal that aborts at the first SIGINT or SIGTERM, with its name as the reason. A second one exits. */
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
 * Aborts when a server is asked to stop; the reason is the signal's name. It listens as soon as this module is loaded,
 * which `main.ts` does first, because a stop may be requested before the server's code is loaded. Other commands are
 * ended by the signal itself, and this one never aborts.
 */
export const stopRequested: AbortSignal =
  commandName(process.argv.slice(2)) === "serve" ? listenForStop() : new AbortController().signal;
