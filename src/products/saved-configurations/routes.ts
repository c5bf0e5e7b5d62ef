import { type Static, Type as T } from "@sinclair/typebox";
import {
  deleteSavedConfiguration,
  insertSavedConfiguration,
  renameSavedConfiguration,
  savedConfiguration,
  savedConfigurationsOf,
} from "../../../db/queries/saved-configurations.ts";
import type { SavedConfigurationTable } from "../../../db/schema/tables.ts";
import type { Store } from "../../../db/store.ts";
import { type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import { type Clock, rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { checkedName } from "../../platform/names.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { closed, notBlank, nullable } from "../../platform/schema.ts";
import { checkInput } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { runAnswers } from "../../runs/answers.ts";
import { capabilityPlan, runnableFor } from "../../runs/plan.ts";
import type { RecentRuns } from "../../runs/recent.ts";
import { idempotencyHeader, Run, RunMode } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { type Cursors, cursorMember, itemsInPage, page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { surfaceOf } from "../../web/surface.ts";

const tags = ["Saved configurations"];
const ConfigurationPath = T.Object({ configuration_id: T.String({ format: "uuid" }) });

const SavedConfiguration = closed(
  {
    id: T.String({ format: "uuid" }),
    name: T.String(),
    capability: T.String(),
    input: T.Unknown(),
    mode: RunMode,
    created_at: T.String({ format: "date-time" }),
    last_run_at: nullable(T.String({ format: "date-time" })),
  },
  { title: "SavedConfiguration" },
);

const SavedConfigurationCreateRequest = closed(
  {
    name: T.String({ minLength: 1, maxLength: 120, ...notBlank }),
    capability: T.String(),
    input: T.Object(
      {},
      { additionalProperties: true, description: "Validated against the capability's input schema." },
    ),
    mode: T.Optional(RunMode),
  },
  { title: "SavedConfigurationCreateRequest" },
);

const SavedConfigurationChange = closed(
  { name: SavedConfigurationCreateRequest.properties.name },
  { title: "SavedConfigurationChange" },
);

const record = (row: SavedConfigurationTable): Static<typeof SavedConfiguration> => ({
  id: row.id,
  name: row.name,
  capability: row.capability,
  input: JSON.parse(row.input_json),
  mode: row.mode,
  created_at: rfc3339(row.created_at),
  last_run_at: rfc3339OrNull(row.last_run_at),
});

/** The services that the routes of saved configurations use. */
interface SavedConfigurationServices {
  readonly acceptance: Acceptance;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly identity: Identity;
  readonly recentRuns: RecentRuns;
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly store: Store;
}

const listName = "saved-configurations";

const listRoute = ({ cursors, identity, store }: SavedConfigurationServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/saved-configurations",
    access: { credential: "Platform", anyScope: ["runs:read", "capabilities:run"] },
    query: T.Object({ limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }), ...cursorMember }),
    response: { 200: page(SavedConfiguration, "SavedConfigurationList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listSavedConfigurations",
      summary: "List saved configurations",
      description: "Newest first. A page has fewer than `limit` items if their inputs are long.",
      tags,
    },
    handler: async ({ query: { limit, cursor }, request }) => {
      const workspaces = await identity.workspaces(callerOf(request));
      const rows = await savedConfigurationsOf(store.read, workspaces, limit + 1, cursors.read(listName, cursor));
      const items = itemsInPage(rows, limit, ({ input_json }) => input_json.length);
      return cursors.page(listName, { rows, limit: items, show: record, position: ({ id }) => id });
    },
  }),
];

const readRoute = ({ identity, store }: SavedConfigurationServices): Route =>
  defineRoute({
    method: "GET",
    path: "/v1/saved-configurations/:configuration_id",
    access: { credential: "Platform", anyScope: ["runs:read", "capabilities:run"] },
    params: ConfigurationPath,
    response: { 200: SavedConfiguration, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getSavedConfiguration",
      summary: "Read a saved configuration",
      description: "With the input as it was saved.",
      tags,
    },
    handler: async ({ params, request }) => {
      const workspaces = await identity.workspaces(callerOf(request));
      const saved = await savedConfiguration(store.read, workspaces, params.configuration_id);
      if (!saved) throw failure("not_found");
      return record(saved);
    },
  });

/** Only its name can change; a different input needs another configuration. */
const renameRoute = ({ identity, store }: SavedConfigurationServices): Route =>
  defineRoute({
    method: "PATCH",
    path: "/v1/saved-configurations/:configuration_id",
    access: { credential: "Platform", scopes: ["capabilities:run"] },
    params: ConfigurationPath,
    body: SavedConfigurationChange,
    response: { 200: SavedConfiguration, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "renameSavedConfiguration",
      summary: "Rename a saved configuration",
      description: "Its input stays as it was saved; save another configuration for another input.",
      tags,
    },
    handler: async ({ params: { configuration_id }, body, request }) => {
      const name = checkedName(body.name, "/body/name", 120);
      const workspaces = await identity.workspaces(callerOf(request));
      const renamed = await store.write(async (tx) => {
        await renameSavedConfiguration(tx, workspaces, configuration_id, name);
        return savedConfiguration(tx, workspaces, configuration_id);
      });
      if (!renamed) throw failure("not_found");
      return record(renamed);
    },
  });

const writeRoutes = (services: SavedConfigurationServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/saved-configurations",
    access: { credential: "Platform", scopes: ["capabilities:run"] },
    body: SavedConfigurationCreateRequest,
    response: { 201: SavedConfiguration, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "createSavedConfiguration",
      summary: "Save a configuration",
      description: "Its input is validated now, and again at each run.",
      tags,
    },
    handler: async ({ body, request, set }) => {
      const caller = callerOf(request);
      const manifest = await runnableFor(services, caller, body.capability);
      if (!manifest) throw invalid("/body/capability", "must be the slug of a capability");
      checkInput(manifest.input_schema, body.input);
      await manifest.engine.admit?.(body.input, caller);
      const row: SavedConfigurationTable = {
        id: services.runtime.id(),
        firm_id: caller.firm_id,
        workspace_id: await workspaceFor(services.identity, caller),
        user_id: caller.user_id,
        name: checkedName(body.name, "/body/name", 120),
        capability: body.capability,
        input_json: JSON.stringify(body.input),
        mode: body.mode ?? "live",
        created_at: services.clock.now(),
        last_run_at: null,
      };
      await services.store.write((tx) => insertSavedConfiguration(tx, row));
      set.status = 201;
      return record(row);
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/saved-configurations/:configuration_id",
    access: { credential: "Platform", scopes: ["capabilities:run"] },
    params: ConfigurationPath,
    response: { ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "deleteSavedConfiguration",
      summary: "Delete a saved configuration",
      description: "Runs made from it are kept.",
      tags,
      responses: { 204: { description: "Deleted." } },
    },
    handler: async ({ params, request }) => {
      const workspaces = await services.identity.workspaces(callerOf(request));
      const deleted = await services.store.write((tx) =>
        deleteSavedConfiguration(tx, workspaces, params.configuration_id),
      );
      if (!deleted) throw failure("not_found");
      return new Response(null, { status: 204 });
    },
  }),
];

const operation = "saved-configuration.run";

/**
 * Returns the run that the key has already made of this configuration, which may have been deleted since. Keys of
 * release 0.3 were unique within their configuration.
 */
async function earlierRun(
  { acceptance, identity }: SavedConfigurationServices,
  caller: Principal,
  id: string,
  key: string,
) {
  const before =
    (await acceptance.replayed(caller, operation, key, id)) ??
    (await acceptance.replayed(caller, `${operation}:${id}`, key));
  const usable = before && (await identity.workspaces(caller)).includes(before.run.row.workspace_id);
  return usable ? before : undefined;
}

/** Runs the configuration as saved, or returns the run that the key has already made. */
async function runSaved(
  services: SavedConfigurationServices,
  caller: Principal,
  id: string,
  key: string,
  surface: string,
) {
  const before = await earlierRun(services, caller, id, key);
  if (before) return before;
  const workspaces = await services.identity.workspaces(caller);
  const saved = await savedConfiguration(services.store.read, workspaces, id);
  if (!saved) throw failure("not_found");
  const { capability, mode } = saved;
  const input: unknown = JSON.parse(saved.input_json);
  return services.acceptance.accept({
    principal: caller,
    slug: capability,
    async plan() {
      const manifest = await runnableFor(services, caller, capability);
      if (!manifest) throw failure("not_found");
      checkInput(manifest.input_schema, input);
      return capabilityPlan(manifest, mode);
    },
    input,
    mode,
    workspace_id: saved.workspace_id,
    surface,
    idempotency_key: key,
    operation,
    configuration_id: saved.id,
  });
}

const runRoute = (services: SavedConfigurationServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/saved-configurations/:configuration_id/runs",
    access: { credential: "Platform", scopes: ["capabilities:run"] },
    params: ConfigurationPath,
    headers: T.Object({ "idempotency-key": idempotencyHeader }),
    response: { 202: Run, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "runSavedConfiguration",
      summary: "Run a saved configuration",
      description:
        "Starts a run of its capability with the saved input, at the current price. The same Idempotency-Key returns the same run, even after the configuration is deleted; for another configuration it is a conflict.",
      tags,
    },
    handler: async ({ params, headers, request }) => {
      const caller = callerOf(request);
      const key = headers["idempotency-key"];
      const { run, replayed } = await runSaved(services, caller, params.configuration_id, key, surfaceOf(request));
      return runAnswers(services.recentRuns).accepted(run, caller, replayed);
    },
  }),
];

/** All routes of saved configurations: inputs stored by name. For `app.ts`. */
export const savedConfigurationRoutes = (services: SavedConfigurationServices): Route[] => [
  ...listRoute(services),
  readRoute(services),
  renameRoute(services),
  ...writeRoutes(services),
  ...runRoute(services),
];
