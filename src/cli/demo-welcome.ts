import type { Log } from "../platform/log.ts";
import { readDemoCredentials } from "./demo-credentials.ts";
import type { Io } from "./io.ts";

interface Welcome {
  readonly io: Io;
  readonly log: Log;
  readonly baseUrl: string;
  readonly dataDir: string;
}

const question = '{"question":"Do kdy musím oznámit krádež policii?","country":"CZ"}';

/**
 * Prints how to use a running demo: the console, a user to sign in as, and a first call. On a terminal it prints the
 * secrets themselves; in a log only the name of their file.
 */
export async function welcomeToDemo({ io, log, baseUrl, dataDir }: Welcome): Promise<void> {
  const { file, owner, key } = await readDemoCredentials(dataDir);
  if (!io.terminal) {
    log.info("passwords and keys of the demo", { file });
    return;
  }
  const lines = [
    "",
    `In the browser: ${baseUrl}/console`,
    ...(owner ? [`  Sign in as ${owner.email} with ${owner.password}`] : []),
    "From another terminal:",
    `  curl -s ${baseUrl}/v1/insurance/ask -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${question}'`,
    `More people and keys: ${file}`,
  ];
  for (const line of lines) io.err(line);
}
