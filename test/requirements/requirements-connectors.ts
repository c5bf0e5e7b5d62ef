import type { Requirement } from "./requirements.ts";

/** Requirements of firms' private capabilities. */
export const connectorRules: readonly Requirement[] = [
  {
    says: "A firm's private capability is registered at run time by manifest, and appears to that firm alone.",
    tests: [
      "is there for that firm alone, on the next request, until it is removed",
      "is a tool for that firm alone, from the next request on, until it is removed",
      "that is good makes a capability of the catalogue's own contract, private and gated",
      "refuses a manifest with every mistake in its line, and one that may not be fetched",
    ],
  },
  {
    says: "It is served by an HTTPS endpoint (signed requests) or an upstream MCP server, and executed as a durable step like any other.",
    tests: [
      "is run as any capability: one signed request, checked, charged and delivered",
      "is asked again under the same key while its trouble may pass",
      "calls its tool once, under the step's key, and delivers what is structured",
      "shows lines that tell our requests from any other",
    ],
  },
  {
    says: "A dead, slow, lying or oversized upstream fails the step and releases its credits.",
    tests: [
      "that is gone fails the step after five attempts, and releases its credits",
      "that never answers is given up at its deadline",
      "whose unfinished run outlives it fails that run, uncharged",
    ],
  },
  {
    says: "A connector's secret is stored encrypted and shown once.",
    tests: ["keeps its secret out of the database, the log and every answer"],
  },
];
