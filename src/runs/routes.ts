import { Type as T } from "@sinclair/typebox";
import { receiptOf } from "../../db/queries/runs.ts";
import type { Waits } from "../execution/wait.ts";
import { type Identity, type Principal, workspaceFor } from "../identity/principal.ts";
import { failure } from "../platform/errors.ts";
import { checkInput } from "../registry/input.ts";
import { unknownCapability } from "../registry/named.ts";
import type { Registry } from "../registry/registry.ts";
import { preferred } from "../web/accept.ts";
import { callerOf } from "../web/access.ts";
import { type Cursors, itemsInPage, page } from "../web/cursor.ts";
import { defineRoute, type Route } from "../web/define-route.ts";
import { errorResponses } from "../web/errors.ts";
import { surfaceOf } from "../web/surface.ts";
import { afterWait, WaitQuery } from "../web/waiting.ts";
import type { Acceptance } from "./accept.ts";
import { runAnswers } from "./answers.ts";
import { approvers } from "./approval-mail.ts";
import type { Decisions } from "./decisions.ts";
import { findRuns, RunQuery, runList } from "./find.ts";
import { capabilityPlan, runnableFor } from "./plan.ts";
import { mayApprove, runRecord, type StoredRun } from "./record.ts";
import { charsOf, storedRuns } from "./results.ts";
import { ApprovalDecisionRequest, CapabilityRunCreateRequest, idempotencyHeader, Run } from "./schema.ts";
import { type RunLookup, runFor } from "./service.ts";
import type { WithheldOutputs } from "./withheld-output.ts";

const tags = ["Runs"];
const RunPath = T.Object({ run_id: T.String({ format: "uuid" }) });

/** The services behind the runs routes. */
interface RunRoutesServices extends RunLookup {
  readonly acceptance: Acceptance;
  readonly decisions: Decisions;
  readonly cursors: Cursors;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly waits: Waits;
  readonly withheldOutputs: WithheldOutputs;
}

/** Starting runs of capabilities. */
const startRoutes = ({ acceptance, identity, registry, recentRuns }: RunRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/capabilities/:slug/runs",
    access: { credential: "Platform", scopes: ["capabilities:run"] },
    params: T.Object({ slug: T.String() }),
    headers: T.Object({ "idempotency-key": idempotencyHeader }),
    body: CapabilityRunCreateRequest,
    response: { 202: Run, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "createCapabilityRun",
      summary: "Run a capability",
      description:
        "Reserves the maximum, settles each successful step once and releases the rest. Send a new Idempotency-Key for each run; repeating a key with the same input returns the same run.",
      tags,
    },
    handler: async ({ params, headers, body, request }) => {
      const caller = callerOf(request);
      const { slug } = params;
      const mode = body.mode ?? "live";
      const { run, replayed } = await acceptance.accept({
        principal: caller,
        slug,
        plan: async () => {
          const manifest = await runnableFor({ identity, registry }, caller, slug);
          if (!manifest) throw unknownCapability(registry, slug, await identity.entitlements(caller.firm_id));
          checkInput(manifest.input_schema, body.input);
          return capabilityPlan(manifest, mode);
        },
        input: body.input,
        mode,
        workspace_id: await workspaceFor(identity, caller, body.workspace_id),
        surface: surfaceOf(request),
        maximum_credits: body.maximum_credits,
        idempotency_key: headers["idempotency-key"],
        operation: "capability.run",
      });
      return runAnswers(recentRuns).accepted(run, caller, replayed);
    },
  }),
];

/** Returns a page of the caller's runs. Throws the failures of `findRuns`. */
async function listRuns(services: RunRoutesServices, caller: Principal, query: RunQuery) {
  const { store, cursors, recentRuns, withheldOutputs } = services;
  const rows = await findRuns(services, caller, query);
  const items = itemsInPage(rows, query.limit, charsOf);
  const stored = await storedRuns(store.read, rows.slice(0, items + 1));
  const show = (run: StoredRun) => runRecord(run, mayApprove(caller), recentRuns.progressOf(run.row.id));
  return cursors.page(runList, {
    rows: await Promise.all(stored.map((run) => withheldOutputs.shownTo(caller, run))),
    limit: items,
    show,
    position: ({ row }) => row.seq,
  });
}

/** Whether the run has finished or awaits a person's decision. */
const rests = ({ row }: StoredRun): boolean => row.finished_at !== null || row.status === "awaiting_approval";

/** Reading runs, singly and in lists. */
const readRoutes = (services: RunRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/runs",
    access: { credential: "Platform", scopes: ["runs:read"] },
    query: RunQuery,
    response: { 200: page(Run, "RunList"), ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "listRuns",
      summary: "List runs",
      description:
        "Newest first. A page of long runs may have fewer than `limit`. A key sees its own workspace's runs, a person the firm's. `from` and `to` are the first and the last day (UTC) on which the runs were created.",
      tags,
    },
    handler: ({ query, request }) => listRuns(services, callerOf(request), query),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:run_id",
    access: { credential: "Platform", scopes: ["runs:read"] },
    params: RunPath,
    query: WaitQuery,
    response: { 200: Run, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getRun",
      summary: "Read a run",
      description:
        "Poll until `status` is succeeded, failed or refused. With `wait`, the response is delayed until the run has finished or awaits approval, or until that many seconds have passed. Another tenant's run is 404, like a missing one.",
      tags,
    },
    handler: async ({ params: { run_id }, query: { wait }, request }) => {
      const caller = callerOf(request);
      const read = () => runFor(services, caller, run_id);
      const run = await afterWait(services.waits, request, wait, { id: run_id, caller, read, rests });
      return runAnswers(services.recentRuns).read(await services.withheldOutputs.shownTo(caller, run), caller);
    },
  }),
];

const jose = "application/jose";
const plain = "text/plain";
const receiptText = {
  schema: { type: "string" },
  example: "eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJydW5faWQiOiIwMTlhYjJjNCJ9.c2lnbmF0dXJl",
};

/** The receipt of a finished run. */
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
      description:
        "A compact ES256 JWS over the run's facts. Verify it with the keys at /.well-known/jwks.json. Returned as `application/jose`, or as `text/plain` to clients that do not accept that.",
      tags,
      responses: {
        200: {
          description: "The receipt as a compact JWS.",
          // For generated clients that do not support JOSE.
          content: { [plain]: receiptText, [jose]: receiptText },
        },
      },
    },
    handler: async ({ params, request }) => {
      const { row } = await runFor(services, callerOf(request), params.run_id);
      const receipt = await receiptOf(services.store.read, row.seq);
      if (!receipt) throw failure("run_not_finished");
      const type = preferred(request.headers.get("accept"), [jose, plain]) ?? plain;
      return new Response(receipt, { headers: { "content-type": type } });
    },
  });

/** Decisions about runs: approval by people, and cancellation by callers with a run scope. */
const decideRoutes = ({ decisions, recentRuns, withheldOutputs }: RunRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/runs/:run_id/approval",
    access: { credential: "Session", roles: approvers },
    params: RunPath,
    body: ApprovalDecisionRequest,
    response: { 200: Run, ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "decideApproval",
      summary: "Approve or reject the output that a run waits on",
      description:
        "Only for the firm's owners and approvers, never for an API key. If the approval lists items, `items` decides each of them: approved items are delivered and charged by their share, rejected items are erased.",
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
      description:
        "Before its first charge the run becomes `refused`, after it `failed`; the rest of the reservation is released.",
      tags,
    },
    handler: async ({ params, request }) => {
      const caller = callerOf(request);
      return runAnswers(recentRuns).accepted(await decisions.cancel(caller, params.run_id), caller);
    },
  }),
];

/** All routes of runs, for `app.ts`. */
export const runRoutes = (services: RunRoutesServices): Route[] => [
  ...startRoutes(services),
  ...readRoutes(services),
  receiptRoute(services),
  ...decideRoutes(services),
];
