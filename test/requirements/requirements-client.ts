import type { Requirement } from "./requirements.ts";

/** Requirements of the command line as a client. */
export const clientRules: readonly Requirement[] = [
  {
    says: "A command-line client wraps the same API: login, profile, analyze with optional wait, jobs get with raw JSON output, MCP install.",
    tests: [
      "gives a key and a session: the key works for runs, the session for approvals, and logout ends both",
      "has the profile of the key's owner, and --json is the API's body",
      "with --wait ends with the result, and with --json prints the job as returned by the API",
      "keeps a file's comments, other entries and mode, and a copy of the previous version",
    ],
  },
  {
    says: "The client's exit codes: 2 usage, 3 auth (HTTP 401/403), 4 quota (HTTP 402).",
    tests: [
      "refuses an input that is not a JSON object as a usage error",
      "that are invalid, missing or without a scope are exit 3, naming the source of the key but never the key",
      "exits with 4 on a used-up trial, and with 1 on a price above --maximum-credits",
    ],
  },
  {
    says: "A bridge for clients that only speak stdio passes messages on unchanged.",
    tests: [
      "get the server's own results and errors unchanged, and nothing else on stdout",
      "a request sent while the server restarts is answered once it is back",
    ],
  },
];
