import caddyfile from "../../../docs/deploy/Caddyfile" with { type: "text" };
import litestream from "../../../docs/deploy/litestream.yml" with { type: "text" };
import nginxConf from "../../../docs/deploy/nginx.conf" with { type: "text" };
import { maximumJobAttempts } from "../../../machines/job.ts";
import { maximumAttempts } from "../../../machines/run.ts";
import { describeScope, scopes } from "../../contracts/scopes.ts";
import { present } from "../../platform/assert.ts";
import { errorCodes, messageOf, statusOf } from "../../platform/errors.ts";
import { reasonMessage } from "../../runs/reasons.ts";
import { defaultBodyLimit } from "../../web/edge.ts";
import type { OpenApi, Parameter } from "../../web/openapi-document.ts";
import { code, fields, table, typeWords } from "./markdown.ts";
import type { Page } from "./schema.ts";
import { written } from "./written.ts";

/** The reasons that the host gives for a run's outcome. Their messages are in `runs/reasons.ts`. */
export const runReasons = [
  "insufficient_credits",
  "cancelled",
  "capability_runs_disabled",
  "commercial_validation_required",
  "entitlement_withdrawn",
  "capability_removed",
  "capability_replaced",
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

/** Returns the values of the placeholders in the written pages, taken from the code. */
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
  caddyfile: caddyfile.trim(),
  litestream: litestream.trim(),
  nginx_conf: nginxConf.trim(),
  parameters: parameterTable(document),
  fields: bodyTable(document),
});

/** Returns the written pages with their placeholders filled in. */
export function guidePages(document: OpenApi, baseUrl: string): Page[] {
  const known = facts(document, baseUrl);
  const fill = (text: string): string =>
    text.replace(/{{(\w+)}}/g, (_, name: string) => present(known[name], `a value for ${name}`));
  return written.map((page) => ({ ...page, body: fill(page.body).trim() }));
}
