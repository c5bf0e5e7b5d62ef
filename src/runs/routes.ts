import { Type as T } from "@sinclair/typebox";
import { receiptOf, runsOf } from "../../db/queries/runs.ts";
import { ensureCaughtUp } from "../../db/queries/secondary-indexes.ts";
import { type Identity, workspaceFor } from "../identity/principal.ts";
import { failure } from "../platform/errors.ts";
import { checkInput } from "../registry/input.ts";
import { capabilityNamed } from "../registry/named.ts";
import type { Registry } from "../registry/registry.ts";
import { callerOf } from "../web/access.ts";
import { cursorMember, page, paged, readSequence } from "../web/cursor.ts";
import { defineRoute, type Route } from "../web/define-route.ts";
import { errorResponses } from "../web/errors.ts";
import { surfaceOf } from "../web/surface.ts";
import type { Acceptance } from "./accept.ts";
import type { Decisions } from "./decisions.ts";
import { capabilityPlan } from "./plan.ts";
import { mayApprove, runRecord, type StoredRun } from "./record.ts";
import { storedRuns } from "./results.ts";
import { ApprovalDecision, CapabilityRunCreateRequest, idempotencyHeader, Run, RunStatus } from "./schema.ts";
import { type RunLookup, runFor } from "./service.ts";
import type { WithheldOutputs } from "./withheld-output.ts";

const tags = ["Runs"];
const RunPath = T.Object({ run_id: T.String({ format: "uuid" }) });
const replay = "idempotency-replayed";
const json = "application/json;charset=utf-8";
// Made once: a response copies them in half the time that it takes to read an object's.
const asJson = { headers: new Headers({ "content-type": json }) };
const accepted = { status: 202, ...asJson };
const acceptedBefore = { status: 202, headers: new Headers({ "content-type": json, [replay]: "true" }) };

/** What the routes of runs are served by. */
interface RunRoutesServices extends RunLookup {
  readonly acceptance: Acceptance;
  readonly decisions: Decisions;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly withheldOutputs: WithheldOutputs;
}

/** What the firm must hold to run the capability in the path. A private one is 404 to callers without it. */
const entitlementsIn =
  (registry: Registry) =>
  ({ slug = "" }: Readonly<Record<string, string>>): readonly string[] => {
    const manifest = registry.capabilities.get(slug);
    return manifest && !manifest.private ? manifest.entitlements : [];
  };

/** Starting runs of capabilities. */
const startRoutes = ({ acceptance, identity, registry, recentRuns }: RunRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/capabilities/:slug/runs",
    access: {
      credential: "Platform",
      scopes: ["capabilities:run"],
      entitlements: entitlementsIn(registry),
    },
    params: T.Object({ slug: T.String() }),
    headers: T.Object({ "idempotency-key": idempotencyHeader }),
    body: CapabilityRunCreateRequest,
    response: { 202: Run, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "createCapabilityRun",
      summary: "Run a capability",
      description:
        "Reserves the maximum, settles each successful step once, releases the rest. Send a fresh Idempotency-Key for each run; the same key and input answer with the same run.",
      tags,
    },
    handler: async ({ params, headers, body, request }) => {
      const caller = callerOf(request);
      const known = registry.capabilities.get(params.slug);
      // Asked for where it matters alone: most runs are of what every firm sees.
      const held = known && !known.private ? [] : await identity.entitlements(caller.firm_id);
      const manifest = capabilityNamed(registry, params.slug, held);
      checkInput(manifest.input_schema, body.input);
      const mode = body.mode ?? "live";
      const { run, replayed } = await acceptance.accept({
        principal: caller,
        plan: capabilityPlan(manifest, mode),
        input: body.input,
        mode,
        workspace_id: await workspaceFor(identity, caller, body.workspace_id),
        surface: surfaceOf(request),
        maximum_credits: body.maximum_credits,
        idempotency_key: headers["idempotency-key"],
        operation: "capability.run",
      });
      return new Response(recentRuns.text(run, mayApprove(caller)), replayed ? acceptedBefore : accepted);
    },
  }),
];

const RunQuery = T.Object({
  status: T.Optional(RunStatus),
  capability: T.Optional(T.String({ maxLength: 100 })),
  limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }),
  ...cursorMember,
});

/** Reconciling: lists and records. */
const readRoutes = (services: RunRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/runs",
    access: { credential: "Platform", scopes: ["runs:read"] },
    query: RunQuery,
    response: { 200: page(Run, "RunList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listRuns",
      summary: "List runs",
      description: "The newest first. A key sees its own workspace, a person the firm's.",
      tags,
    },
    handler: async ({ query: { status, capability, limit, cursor }, request }) => {
      const caller = callerOf(request);
      const workspace_ids = await services.identity.workspaces(caller);
      const before = readSequence(cursor);
      await ensureCaughtUp(services.store, capability === undefined ? "workspace_runs" : "capability_runs");
      const rows = await runsOf(services.store.read, { workspace_ids, status, capability, before, limit: limit + 1 });
      const stored = await storedRuns(services.store.read, rows);
      const runs = await Promise.all(stored.map((run) => services.withheldOutputs.shownTo(caller, run)));
      const show = (run: StoredRun) => runRecord(run, mayApprove(caller), services.recentRuns.progressOf(run.row.id));
      return paged(runs, limit, show, ({ row }) => String(row.seq));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:run_id",
    access: { credential: "Platform", scopes: ["runs:read"] },
    params: RunPath,
    response: { 200: Run, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getRun",
      summary: "Read a run",
      description: "Poll until it is succeeded, failed or refused. Another tenant's run is 404, as a missing one.",
      tags,
    },
    handler: async ({ params, request }) => {
      const caller = callerOf(request);
      const run = await services.withheldOutputs.shownTo(caller, await runFor(services, caller, params.run_id));
      return new Response(services.recentRuns.text(run, mayApprove(caller)), asJson);
    },
  }),
];

/** The proof of a finished run. */
const receiptRoute = (services: RunRoutesServices): Route =>
  defineRoute({
    method: "GET",
    path: "/v1/runs/:run_id/receipt",
    access: { credential: "Platform", scopes: ["runs:read"] },
    params: RunPath,
    response: { ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "getRunReceipt",
      summary: "Get a finished run's signed receipt",
      description: "A compact ES256 JWS over the run's facts. Check it with the keys at /.well-known/jwks.json.",
      tags,
      responses: {
        200: {
          description: "The receipt as a compact JWS.",
          content: { "application/jose": { schema: { type: "string" } } },
        },
      },
    },
    handler: async ({ params, request }) => {
      const { row } = await runFor(services, callerOf(request), params.run_id);
      const receipt = await receiptOf(services.store.read, row.seq);
      if (!receipt) throw failure("run_not_finished");
      return new Response(receipt, { headers: { "content-type": "application/jose" } });
    },
  });

/** Deciding about runs: approval by people, cancellation by callers that may run. */
const decideRoutes = ({ decisions, withheldOutputs }: RunRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/runs/:run_id/approval",
    access: { credential: "Session", roles: ["owner", "approver"] },
    params: RunPath,
    body: ApprovalDecision,
    response: { 200: Run, ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "decideApproval",
      summary: "Approve or reject what a run waits for",
      description:
        "For people who own the firm or approve for it; never for an API key. Where the approval lists items, `items` decides each of them: the approved ones are delivered and charged by their share, the rejected ones are erased.",
      tags,
    },
    handler: async ({ params, body, request }) => {
      const caller = callerOf(request);
      const run = await decisions.decide(caller, params.run_id, body);
      return runRecord(await withheldOutputs.shownTo(caller, run), true);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/runs/:run_id/cancel",
    access: { credential: "Platform", anyScope: ["capabilities:run", "use-cases:run"] },
    params: RunPath,
    response: { 202: Run, ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "cancelRun",
      summary: "Cancel a run",
      description: "Before its first charge it is refused, after it failed; what was reserved is released.",
      tags,
    },
    handler: async ({ params, request, set }) => {
      set.status = 202;
      const caller = callerOf(request);
      return runRecord(await decisions.cancel(caller, params.run_id), mayApprove(caller));
    },
  }),
];

/** Everything about runs, for `app.ts`. */
export const runRoutes = (services: RunRoutesServices): Route[] => [
  ...startRoutes(services),
  ...readRoutes(services),
  receiptRoute(services),
  ...decideRoutes(services),
];
