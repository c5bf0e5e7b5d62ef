import { installedAt } from "./browser.ts";

/** Marks runs as started from the console, and lets the server send shorter responses. */
export const fromConsole = { "x-assay-surface": "web" } as const;

const asked = new Map<string, Promise<Response>>();

/** Requests these API paths before the code that reads the responses is loaded. */
export function askAhead(paths: readonly string[]): void {
  for (const path of paths) {
    const answer = fetch(installedAt + path, { headers: fromConsole });
    // Avoids an unhandled rejection; the caller that takes the response handles the error.
    answer.catch(() => undefined);
    asked.set(new URL(installedAt + path, location.href).href, answer);
  }
}

/** Returns the response requested ahead, the first time only: later callers need current data. */
export function askedAhead(url: string): Promise<Response> | undefined {
  const answer = asked.get(url);
  asked.delete(url);
  return answer;
}
