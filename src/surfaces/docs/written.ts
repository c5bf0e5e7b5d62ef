import releases from "../../../CHANGELOG.md" with { type: "text" };
import engines from "../../../docs/engines.md" with { type: "text" };
import glossary from "../../../docs/glossary.md" with { type: "text" };
import obligations from "../../../docs/obligations.md" with { type: "text" };
import deployment from "../../../docs/operating.md" with { type: "text" };
import settings from "../../../docs/settings.md" with { type: "text" };
import upgrading from "../../../docs/upgrading.md" with { type: "text" };
import approvals from "./content/approvals.md" with { type: "text" };
import architect from "./content/architect.md" with { type: "text" };
import authentication from "./content/authentication.md" with { type: "text" };
import changelog from "./content/changelog.md" with { type: "text" };
import cli from "./content/cli.md" with { type: "text" };
import connections from "./content/connections.md" with { type: "text" };
import connectors from "./content/connectors.md" with { type: "text" };
import corpus from "./content/corpus.md" with { type: "text" };
import credits from "./content/credits.md" with { type: "text" };
import datasets from "./content/datasets.md" with { type: "text" };
import errors from "./content/errors.md" with { type: "text" };
import idempotency from "./content/idempotency.md" with { type: "text" };
import insurance from "./content/insurance.md" with { type: "text" };
import jobs from "./content/jobs.md" with { type: "text" };
import limits from "./content/limits.md" with { type: "text" };
import marketIntelligence from "./content/market-intelligence.md" with { type: "text" };
import mcp from "./content/mcp.md" with { type: "text" };
import models from "./content/models.md" with { type: "text" };
import operations from "./content/operations.md" with { type: "text" };
import productLoop from "./content/product-loop.md" with { type: "text" };
import quickstart from "./content/quickstart.md" with { type: "text" };
import receipts from "./content/receipts.md" with { type: "text" };
import reverseProxies from "./content/reverse-proxies.md" with { type: "text" };
import runs from "./content/runs.md" with { type: "text" };
import support from "./content/support.md" with { type: "text" };
import validator from "./content/validator.md" with { type: "text" };
import { repositoryText } from "./repository-text.ts";
import type { Page } from "./schema.ts";

/**
 * The written pages, in reading order. A list instead of a directory scan, because a compiled executable has no
 * directory.
 */
export const written: readonly Page[] = [
  {
    slug: "quickstart",
    title: "Quick start",
    summary: "From an API key to a reconciled run in four requests.",
    group: "Get started",
    kind: "guide",
    related: ["product-loop", "authentication", "idempotency"],
    body: quickstart,
  },
  {
    slug: "product-loop",
    title: "The product loop",
    summary: "Discover, inspect, quote, run and reconcile: five steps, each with its own request.",
    group: "Get started",
    kind: "guide",
    related: ["quickstart", "credits", "runs"],
    body: productLoop,
  },
  {
    slug: "authentication",
    title: "Keys, tokens, scopes and roles",
    summary: "Which credential a request needs, how people sign in, and what each scope and role allows.",
    group: "Get started",
    kind: "guide",
    related: ["quickstart", "invalid_api_key", "missing_scope"],
    body: authentication,
  },
  {
    slug: "idempotency",
    title: "Idempotency",
    summary: "Repeat a request without doing anything twice.",
    group: "Get started",
    kind: "guide",
    related: ["runs", "idempotency_conflict"],
    body: idempotency,
  },
  {
    slug: "credits",
    title: "Credits, costs and charging",
    summary:
      "What a run costs: its price is reserved as a maximum, each successful step is charged once, the rest released.",
    group: "Get started",
    kind: "guide",
    related: ["runs", "receipts", "price_exceeds_maximum", "quota_exceeded"],
    body: credits,
  },
  {
    slug: "errors",
    title: "Errors",
    summary: "The error body, when to repeat a request, the order of checks, and every code.",
    group: "Get started",
    kind: "guide",
    related: ["validation_error", "idempotency", "support"],
    body: errors,
  },
  {
    slug: "runs",
    title: "The run record",
    summary: "A run's statuses, how to wait for it, find it and cancel it, and why runs fail.",
    group: "Runs",
    kind: "reference",
    related: ["product-loop", "credits", "approvals"],
    body: runs,
  },
  {
    slug: "approvals",
    title: "Approvals",
    summary: "How a person decides on output that names companies or people.",
    group: "Runs",
    kind: "guide",
    related: ["runs", "authentication", "not_awaiting_approval"],
    body: approvals,
  },
  {
    slug: "receipts",
    title: "Receipts",
    summary: "What the signed receipt of a run states, and how to verify it without trusting the server.",
    group: "Runs",
    kind: "guide",
    related: ["runs", "credits", "run_not_finished"],
    body: receipts,
  },
  {
    slug: "jobs",
    title: "Company analyses and jobs",
    summary: "Submit an analysis, poll its job, and how quotas, repeats and retries work.",
    group: "Runs",
    kind: "guide",
    related: ["idempotency", "limits", "quota_exceeded"],
    body: jobs,
  },
  {
    slug: "insurance",
    title: "The insurance assistant",
    summary: "Ask about insurance, read the answer with its sources, and see which documents there are.",
    group: "Capabilities at work",
    kind: "guide",
    related: ["product-loop", "limits", "quota_exceeded"],
    body: insurance,
  },
  {
    slug: "validator",
    title: "The market validator",
    summary: "Put a hypothesis to simulated people of a market: sizes, prices, verdicts, method and limits.",
    group: "Capabilities at work",
    kind: "guide",
    related: ["product-loop", "models", "mcp", "quota_exceeded"],
    body: validator,
  },
  {
    slug: "market-intelligence",
    title: "Market intelligence: Germany",
    summary: "Search the universe and the profiles of the German market, enrich a profile, and import the data.",
    group: "Capabilities at work",
    kind: "guide",
    related: ["datasets", "jobs", "limits"],
    body: marketIntelligence,
  },
  {
    slug: "architect",
    title: "The solution architect",
    summary: "Turn goals into a priced design, its document, and a build specification.",
    group: "Capabilities at work",
    kind: "guide",
    related: ["product-loop", "credits", "mcp"],
    body: architect,
  },
  {
    slug: "engines",
    title: "Engines",
    summary: "What each engine really does, how accurate it was measured to be, and where its limits are.",
    group: "Capabilities at work",
    kind: "reference",
    related: ["limits", "models"],
    body: repositoryText(engines),
  },
  {
    slug: "obligations",
    title: "Obligations of advice",
    summary: "Which legal obligations the rules of afa-assurance cover, and which they don't and why.",
    group: "Capabilities at work",
    kind: "reference",
    related: ["engines", "limits"],
    body: repositoryText(obligations),
  },
  {
    slug: "cli",
    title: "The command line",
    summary: "Sign in, run, ask, approve, and connect AI clients with the assay command.",
    group: "Connect",
    kind: "guide",
    related: ["quickstart", "authentication", "mcp", "approvals"],
    body: cli,
  },
  {
    slug: "mcp",
    title: "MCP",
    summary: "Connect a client over the Model Context Protocol: tools, resources, long calls and errors.",
    group: "Connect",
    kind: "guide",
    related: ["authentication", "product-loop", "errors"],
    body: mcp,
  },
  {
    slug: "connections",
    title: "Connections",
    summary: "Let a program work over MCP on a person's behalf, with OAuth or a personal connection.",
    group: "Connect",
    kind: "guide",
    related: ["mcp", "authentication", "invalid_api_key", "missing_scope"],
    body: connections,
  },
  {
    slug: "connectors",
    title: "Connectors and the partner tool",
    summary: "A firm's own capability, served by its endpoint or an MCP server: manifest, signature, failures.",
    group: "Connect",
    kind: "guide",
    related: ["operations", "runs", "idempotency"],
    body: connectors,
  },
  {
    slug: "deployment",
    title: "Running a server",
    summary: "Install the server as a service or container, behind a proxy, with logs, metrics and backups.",
    group: "Operate",
    kind: "guide",
    related: ["reverse-proxies", "settings", "operations", "upgrading"],
    body: `${repositoryText(deployment)}\n\n## litestream.yml\n\n\`\`\`yaml\n{{litestream}}\n\`\`\``,
  },
  {
    slug: "reverse-proxies",
    title: "Reverse proxies",
    summary: "Put Caddy or nginx in front of the server, with streams and the callers' addresses.",
    group: "Operate",
    kind: "guide",
    related: ["deployment", "settings", "mcp"],
    body: reverseProxies,
  },
  {
    slug: "settings",
    title: "Settings",
    summary: "Every setting with its variable, flag, default and meaning.",
    group: "Operate",
    kind: "reference",
    related: ["operations", "deployment"],
    body: repositoryText(settings),
  },
  {
    slug: "operations",
    title: "Operating an installation",
    summary: "Configure, administer, monitor, back up and verify an installation.",
    group: "Operate",
    kind: "guide",
    related: ["support", "limits"],
    body: operations,
  },
  {
    slug: "corpus",
    title: "Insurance documents",
    summary: "Import documents with their facts, update them, and see why a file is refused.",
    group: "Operate",
    kind: "guide",
    related: ["operations", "support"],
    body: corpus,
  },
  {
    slug: "datasets",
    title: "Market data: importing datasets",
    summary: "Import public statistics and registers: formats, mappings, versions, reliability and refused rows.",
    group: "Operate",
    kind: "guide",
    related: ["operations", "corpus", "limits"],
    body: datasets,
  },
  {
    slug: "models",
    title: "Language models",
    summary: "Let a language model serve a capability: settings, what it may decide, and what happens when it fails.",
    group: "Operate",
    kind: "guide",
    related: ["operations", "limits", "runs"],
    body: models,
  },
  {
    slug: "upgrading",
    title: "Upgrading",
    summary: "Replace the executable, migrate the data, and go back to an earlier version.",
    group: "Operate",
    kind: "guide",
    related: ["operations", "changelog"],
    body: repositoryText(upgrading),
  },
  {
    slug: "limits",
    title: "Limits",
    summary: "Bounds of requests, rates, parameters, computations and runs.",
    group: "About",
    kind: "reference",
    related: ["errors", "payload_too_large", "rate_limit_exceeded"],
    body: limits,
  },
  {
    slug: "glossary",
    title: "Glossary",
    summary: "The terms of this documentation and what each of them means.",
    group: "About",
    kind: "reference",
    related: ["product-loop", "runs"],
    body: repositoryText(glossary),
  },
  {
    slug: "support",
    title: "Support",
    summary: "What to check and what to send to the operator when something goes wrong.",
    group: "About",
    kind: "reference",
    related: ["errors", "operations"],
    body: support,
  },
  {
    slug: "changelog",
    title: "Changelog",
    summary: "What changed in each release, and what may change before 1.0.",
    group: "About",
    kind: "reference",
    related: ["quickstart"],
    body: `${changelog}\n${repositoryText(releases)}`,
  },
];
