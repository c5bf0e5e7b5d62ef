import { Type as T } from "@sinclair/typebox";
import type { BackupJob, InstallationTools } from "../../contracts/installation.ts";
import { verifyAudit } from "../../execution/audit-check.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import { callerOf } from "../../web/access.ts";
import { cursorMember, page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { record } from "../admin/audit-context.ts";
import { auditView } from "../admin/views.ts";
import { changes, looks, tags } from "./access.ts";
import { auditLog } from "./audit.ts";
import { auditOf } from "./firms.ts";
import type { OperatorRoutesServices } from "./routes.ts";
import {
  OperatorAuditCheck,
  OperatorAuditEntry,
  OperatorBackupJob,
  OperatorBackups,
  OperatorHealth,
} from "./schema.ts";

const auditList = "operator audit";

/** The audit log's route. */
const auditRoutes = ({ store, cursors, runtime }: OperatorRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/operator/audit",
    access: looks,
    query: T.Object({
      firm_id: T.Optional(T.String({ format: "uuid" })),
      limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }),
      ...cursorMember,
    }),
    response: { 200: page(OperatorAuditEntry, "OperatorAuditList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listOperatorAudit",
      summary: "Read the audit log",
      description: "Newest entries first, of one firm or of all.",
      tags,
    },
    handler: async ({ query: { firm_id, limit, cursor } }) => {
      const before = cursors.readSequence(auditList, cursor);
      const rows = await auditLog(store.read, { firm_id, before, limit: limit + 1 });
      return cursors.page(auditList, { rows, limit, show: auditView, position: ({ seq }) => seq });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/operator/audit/verification",
    access: looks,
    response: { 200: OperatorAuditCheck, ...errorResponses(401, 403) },
    detail: {
      operationId: "verifyOperatorAudit",
      summary: "Verify the audit log",
      description:
        "Recomputes every entry's hash, from the first on, and checks that the oldest and newest runs and transfers have their entries. `assay verify` compares all of them.",
      tags,
    },
    handler: async () => {
      const { checked, problems, last } = await verifyAudit(store.read, { between: runtime.nextTurn });
      return { ok: problems.length === 0, checked, problems: [...problems], last };
    },
  }),
];

const jobView = ({ started_at, ...job }: BackupJob) => ({ ...job, started_at: rfc3339(started_at) });

/** Routes for backups of the database. */
const backupRoutes = ({ store, runtime }: OperatorRoutesServices, tools: () => InstallationTools): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/operator/backups",
    access: looks,
    response: { 200: OperatorBackups, ...errorResponses(401, 403, 404, 503) },
    detail: {
      operationId: "listOperatorBackups",
      summary: "List backups",
      description:
        "The backups in `backups` in the data folder, newest first, and the outcome of the last one requested since the server started.",
      tags,
    },
    handler: async () => {
      const { backups } = tools();
      const last = backups.last();
      const items = (await backups.list()).map((one) => ({ ...one, created_at: rfc3339(one.created_at) }));
      return { items, last: last ? jobView(last) : null };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/operator/backups",
    access: changes,
    response: { 202: OperatorBackupJob, ...errorResponses(401, 403, 404, 422, 503) },
    detail: {
      operationId: "startOperatorBackup",
      summary: "Start a backup",
      description:
        "A consistent copy of the whole database, with its checksum, made while the server runs. If a backup is already running, it is returned and no other starts. The master key and imported datasets are not included.",
      tags,
    },
    handler: async ({ request, set }) => {
      const job = await tools().backups.start();
      const { file } = job;
      await store.write((tx) => record(tx, auditOf(callerOf(request), runtime), "backup.started", file, null));
      set.status = 202;
      set.headers.location = "/v1/operator/backups";
      set.headers["retry-after"] = "1";
      return jobView(job);
    },
  }),
];

const healthRoute = (tools: () => InstallationTools): Route =>
  defineRoute({
    method: "GET",
    path: "/v1/operator/health",
    access: looks,
    response: { 200: OperatorHealth, ...errorResponses(401, 403, 404) },
    detail: {
      operationId: "getOperatorHealth",
      summary: "Check the installation's health",
      description: "The findings of `assay doctor`, each with advice on what to do next. Changes nothing.",
      tags,
    },
    handler: async () => {
      const checks = await tools().health();
      return {
        ok: checks.every(({ state }) => state !== "fail"),
        checks: checks.map(({ advice = null, ...check }) => ({ ...check, advice })),
      };
    },
  });

/**
 * The routes for the installation itself, for `routes.ts`. They answer `not_found` if no process provides the tools.
 */
export function installationRoutes(services: OperatorRoutesServices): Route[] {
  const tools = (): InstallationTools => {
    if (!services.installation) throw failure("not_found");
    return services.installation;
  };
  return [...auditRoutes(services), ...backupRoutes(services, tools), healthRoute(tools)];
}
