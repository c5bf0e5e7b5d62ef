import { maximumJobAttempts } from "../../../machines/job.ts";
import { maximumAttempts } from "../../../machines/run.ts";
import { describeScope, scopes } from "../../contracts/scopes.ts";
import { present } from "../../platform/assert.ts";
import { errorCodes, messageOf, statusOf } from "../../platform/errors.ts";
import { reasonMessage } from "../../runs/reasons.ts";
import { defaultBodyLimit } from "../../web/edge.ts";
import type { OpenApi, Parameter } from "../../web/openapi-document.ts";
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
import runs from "./content/runs.md" with { type: "text" };
import support from "./content/support.md" with { type: "text" };
import validator from "./content/validator.md" with { type: "text" };
import { code, fields, table, typeWords } from "./markdown.ts";
import type { Page } from "./schema.ts";

/** The written pages, in reading order. A list and not a scan: a compiled executable has no folder to look into. */
const written: readonly Page[] = [
  {
    slug: "quickstart",
    title: "Quick start",
    summary: "From an API key to a reconciled run in four requests.",
    kind: "guide",
    related: ["product-loop", "authentication", "idempotency"],
    body: quickstart,
  },
  {
    slug: "product-loop",
    title: "The product loop",
    summary: "Discover, inspect, quote, run, reconcile: five steps, each a request of its own.",
    kind: "guide",
    related: ["quickstart", "credits", "runs"],
    body: productLoop,
  },
  {
    slug: "authentication",
    title: "Keys, tokens, scopes and roles",
    summary: "Which credential goes where, and what each scope allows.",
    kind: "guide",
    related: ["quickstart", "invalid_api_key", "missing_scope"],
    body: authentication,
  },
  {
    slug: "idempotency",
    title: "Idempotency",
    summary: "Send a request again without doing anything twice.",
    kind: "guide",
    related: ["runs", "idempotency_conflict"],
    body: idempotency,
  },
  {
    slug: "credits",
    title: "Credits and charging",
    summary: "Reserve the maximum, settle each successful step once, release the rest.",
    kind: "guide",
    related: ["runs", "receipts", "price_exceeds_maximum", "quota_exceeded"],
    body: credits,
  },
  {
    slug: "datasets",
    title: "Market data: importing datasets",
    summary: "Import public statistics and registers as versions: formats, mappings, refused rows, reliability.",
    kind: "guide",
    related: ["operations", "corpus", "limits"],
    body: datasets,
  },
  {
    slug: "market-intelligence",
    title: "Market intelligence: Germany",
    summary: "Search the universe and the profiles of the German market, enrich a profile, and import both.",
    kind: "guide",
    related: ["datasets", "jobs", "limits"],
    body: marketIntelligence,
  },
  {
    slug: "insurance",
    title: "The insurance assistant",
    summary: "Ask about insurance, read the answer with its sources, and see which documents there are.",
    kind: "guide",
    related: ["product-loop", "limits", "quota_exceeded"],
    body: insurance,
  },
  {
    slug: "validator",
    title: "The market validator",
    summary: "Put a hypothesis to simulated people of a market: sizes, prices, method, report of use, limits.",
    kind: "guide",
    related: ["product-loop", "models", "mcp", "quota_exceeded"],
    body: validator,
  },
  {
    slug: "jobs",
    title: "Company analyses and jobs",
    summary: "Submit an analysis, poll its job, and how quotas, repeats and retries work.",
    kind: "guide",
    related: ["idempotency", "limits", "quota_exceeded"],
    body: jobs,
  },
  {
    slug: "approvals",
    title: "Approvals",
    summary: "How a person decides on output that names companies or people.",
    kind: "guide",
    related: ["runs", "authentication", "not_awaiting_approval"],
    body: approvals,
  },
  {
    slug: "receipts",
    title: "Receipts",
    summary: "What the signed receipt of a run states, and how to verify it without trusting the server.",
    kind: "guide",
    related: ["runs", "credits", "run_not_finished"],
    body: receipts,
  },
  {
    slug: "errors",
    title: "Errors",
    summary: "The error body, the order of checks, every code, and when to repeat a request.",
    kind: "guide",
    related: ["validation_error", "idempotency", "support"],
    body: errors,
  },
  {
    slug: "cli",
    title: "The command line",
    summary: "Sign in, run, ask, approve, and connect AI clients with the assay command.",
    kind: "guide",
    related: ["quickstart", "authentication", "mcp", "approvals"],
    body: cli,
  },
  {
    slug: "mcp",
    title: "MCP",
    summary: "Connect a client over the Model Context Protocol: tools, resources, long calls and errors.",
    kind: "guide",
    related: ["authentication", "product-loop", "errors"],
    body: mcp,
  },
  {
    slug: "connections",
    title: "Connections",
    summary: "Let a program work over MCP on a person's behalf: OAuth, personal connections, and how they end.",
    kind: "guide",
    related: ["mcp", "authentication", "invalid_api_key", "missing_scope"],
    body: connections,
  },
  {
    slug: "connectors",
    title: "Connectors and the partner tool",
    summary: "A firm's own capability, served by its endpoint or an MCP server: manifest, signature, failures.",
    kind: "guide",
    related: ["operations", "runs", "idempotency"],
    body: connectors,
  },
  {
    slug: "operations",
    title: "Operating an installation",
    summary: "Start, configure, monitor, stop, back up and verify.",
    kind: "guide",
    related: ["support", "limits"],
    body: operations,
  },
  {
    slug: "models",
    title: "Language models",
    summary: "Let a language model serve a capability: settings, what it may do, and what happens when it fails.",
    kind: "guide",
    related: ["operations", "limits", "runs"],
    body: models,
  },
  {
    slug: "corpus",
    title: "Insurance documents",
    summary: "Import documents with their facts, keep versions, and see why a file is refused.",
    kind: "guide",
    related: ["operations", "support"],
    body: corpus,
  },
  {
    slug: "architect",
    title: "The solution architect",
    summary: "From goals to a priced design, its document, and a build specification of what was saved.",
    kind: "guide",
    related: ["product-loop", "credits", "mcp"],
    body: architect,
  },
  {
    slug: "runs",
    title: "The run record",
    summary: "Statuses of runs and steps, reasons, the fair queue and cancellation.",
    kind: "reference",
    related: ["product-loop", "credits", "approvals"],
    body: runs,
  },
  {
    slug: "limits",
    title: "Limits",
    summary: "Bounds of parameters, bodies, quotes, approvals and attempts.",
    kind: "reference",
    related: ["errors", "payload_too_large", "rate_limit_exceeded"],
    body: limits,
  },
  {
    slug: "support",
    title: "Support",
    summary: "What to check and what to have at hand when something goes wrong.",
    kind: "reference",
    related: ["errors", "operations"],
    body: support,
  },
  {
    slug: "changelog",
    title: "Changelog",
    summary: "What each release brought, and what may change before 1.0.",
    kind: "reference",
    related: ["quickstart"],
    body: changelog,
  },
];

/** The reasons that the host gives; their words are `runs/reasons.ts`'s. */
export const runReasons = [
  "insufficient_credits",
  "cancelled",
  "capability_runs_disabled",
  "commercial_validation_required",
  "entitlement_withdrawn",
  "step_timed_out",
  "engine_failed",
  "engine_output_invalid",
  "charge_above_maximum",
] as const;

const bounds = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern"] as const;

function parameterTable({ paths }: OpenApi): string {
  const bounded = ({ schema }: Parameter) => bounds.some((bound) => schema[bound] !== undefined);
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter(bounded)
        .map((parameter) => [
          code(`${method.toUpperCase()} ${path}`),
          `${parameter.in} ${code(parameter.name)}`,
          typeWords(parameter.schema),
        ]),
    ),
  );
  return table(["Endpoint", "Parameter", "Bounds"], rows);
}

function bodyTable({ components: { schemas } }: OpenApi): string {
  const rows = Object.entries(schemas)
    .filter(([name]) => name.endsWith("Request") || name.endsWith("Decision"))
    .flatMap(([name, schema]) => fields(schema).map(([field = "", type = ""]) => [code(name), field, type]));
  return table(["Body", "Field", "Bounds"], rows);
}

/** What stands in the written pages for facts that the code has. */
const facts = (document: OpenApi, baseUrl: string): Readonly<Record<string, string>> => ({
  base_url: baseUrl,
  attempts: String(maximumAttempts),
  job_attempts: String(maximumJobAttempts),
  body_limit: defaultBodyLimit.toLocaleString("en"),
  scopes: table(
    ["Scope", "Allows", "Access", "On a key"],
    scopes.map((name) => {
      const { description, access, grantable } = describeScope(name);
      return [code(name), description, access, grantable ? "yes" : "no"];
    }),
  ),
  errors: table(
    ["Status", "Code", "Message"],
    errorCodes.map((name) => [String(statusOf(name)), code(name), messageOf(name)]),
  ),
  reasons: table(
    ["Code", "Meaning"],
    runReasons.map((reason) => [code(reason), reasonMessage(reason)]),
  ),
  parameters: parameterTable(document),
  fields: bodyTable(document),
});

/** The written pages with their facts filled in. */
export function guidePages(document: OpenApi, baseUrl: string): Page[] {
  const known = facts(document, baseUrl);
  const fill = (text: string): string =>
    text.replace(/{{(\w+)}}/g, (_, name: string) => present(known[name], `a value for ${name}`));
  return written.map((page) => ({ ...page, body: fill(page.body).trim() }));
}
