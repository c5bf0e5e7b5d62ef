import type { Requirement } from "./requirements.ts";

/** Requirements of the command line as a client. */
export const clientRules: readonly Requirement[] = [
  {
    says: "A command-line client wraps the same API: login, profile, analyze with optional wait, jobs get with raw JSON output, MCP install.",
    tests: [
      "gives a key and a session; the key works for runs, the session for approvals, and logout ends both",
      "the profile is that of the key's owner, and --json is the API's body",
      "--wait ends with the result, and --json is the job as the API has it",
      "a file with comments keeps them, its other entries, its mode, and a copy of what it was",
    ],
  },
  {
    says: "The client's exit codes: 2 usage, 3 auth (HTTP 401/403), 4 quota (HTTP 402).",
    tests: [
      "an input that is no JSON object is a usage error",
      "a bad key, no key and a missing scope are exit 3, with where the key came from, never the key",
      "a used-up trial is exit 4, a price above --maximum-credits exit 1",
    ],
  },
  {
    says: "A bridge for clients that only speak stdio passes messages on unchanged.",
    tests: [
      "get the server's own answers: results and errors as they came, and nothing else on stdout",
      "a request made while the server restarts is answered when it is back",
    ],
  },
];
