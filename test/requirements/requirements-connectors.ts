import type { Requirement } from "./requirements.ts";

/** Requirements of firms' private capabilities. */
export const connectorRules: readonly Requirement[] = [
  {
    says: "A firm's private capability is registered at run time by manifest, and appears to that firm alone.",
    tests: [
      "exists for that firm only, from the next request until it is removed",
      "is a tool for that firm only, from the next request until it is removed",
      "that is valid becomes a private, gated capability with the catalogue's own kind of contract",
      "refuses a manifest with every error and its line, and one that may not be fetched",
    ],
  },
  {
    says: "It is served by an HTTPS endpoint (signed requests) or an upstream MCP server, and executed as a durable step like any other.",
    tests: [
      "is run like any capability: one signed request, checked, charged and delivered",
      "is retried under the same key while its error may be temporary",
      "calls its tool once, under the step's key, and delivers the structured content",
      "has the code that recognises our requests",
    ],
  },
  {
    says: "A dead, slow, lying or oversized upstream fails the step and releases its credits.",
    tests: [
      "that is unreachable fails the step after five attempts, and releases its credits",
      "that never responds is abandoned at its deadline",
      "removed before a retry fails the run, uncharged",
    ],
  },
  {
    says: "A connector's secret is stored encrypted and shown once.",
    tests: ["keeps its secret out of the database, the log and every response"],
  },
];
