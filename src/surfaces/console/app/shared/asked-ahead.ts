import { installedAt } from "./browser.ts";

/** Runs remember that they were started here, and the server answers in fewer bytes. */
export const fromConsole = { "x-assay-surface": "web" } as const;

const asked = new Map<string, Promise<Response>>();

/** Asks the server for these (paths of the API) before the program is there that reads the answers. */
export function askAhead(paths: readonly string[]): void {
  for (const path of paths) {
    const answer = fetch(installedAt + path, { headers: fromConsole });
    // Who takes it hears of it.
    answer.catch(() => undefined);
    asked.set(new URL(installedAt + path, location.href).href, answer);
  }
}

/** The answer that was asked for ahead, once: who asks again wants to know what is true then. */
export function askedAhead(url: string): Promise<Response> | undefined {
  const answer = asked.get(url);
  asked.delete(url);
  return answer;
}
