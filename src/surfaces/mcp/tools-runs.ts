import { Type as T } from "@sinclair/typebox";
import { runsOf } from "../../../db/queries/runs.ts";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import { creditBalance, usageSummary } from "../../accounts/usage/service.ts";
import { type Identity, workspaceFor } from "../../identity/principal.ts";
import { type Clock, rfc3339 } from "../../platform/clock.ts";
import { closed } from "../../platform/schema.ts";
import type { UseCases } from "../../products/use-cases/service.ts";
import { checkInput } from "../../registry/input.ts";
import { useCaseNamed } from "../../registry/named.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { useCasePlan } from "../../runs/plan.ts";
import { RunStatus } from "../../runs/schema.ts";
import { IdempotencyKey, lookAtRun, RunAnswer, type RunWaitServices, spending } from "./run-answer.ts";
import { reading, type Tool, tool } from "./tool.ts";
import { CapabilitySlug, UseCaseInput, UseCaseSlug } from "./tools-docs.ts";

/** What these tools work with. */
export interface RunsToolServices extends RunWaitServices {
  readonly clock: Clock;
  readonly acceptance: Acceptance;
  readonly identity: Identity;
  readonly useCases: UseCases;
}

const runUseCase = (services: RunsToolServices): Tool =>
  tool({
    name: "run_use_case",
    title: "Run a use case",
    description: "Run a use case once the person agrees to its price. It may wait for a person's approval.",
    scopes: ["use-cases:run"],
    hints: spending,
    advice: {
      not_found: "List the slugs with list_use_cases.",
      quote_invalid: "Quote exactly this input again with quote_use_case, show the person the price, then run.",
    },
    input: closed({
      slug: UseCaseSlug,
      input: UseCaseInput,
      quote_id: T.Optional(
        T.String({ format: "uuid", description: "Of quote_use_case: the run is refused if price or input differ." }),
      ),
      idempotency_key: T.Optional({ ...IdempotencyKey, description: "A repeat with the same key is the same run." }),
    }),
    output: RunAnswer,
    async run({ slug, input, quote_id, idempotency_key }, call) {
      const { principal } = call;
      const { registry, identity, useCases, acceptance } = services;
      const useCase = useCaseNamed(registry, slug);
      checkInput(useCase.input_schema, input);
      if (quote_id !== undefined) await useCases.checkQuote(useCase, input, quote_id);
      const { run } = await acceptance.accept({
        principal,
        plan: useCasePlan(registry, useCase),
        input,
        mode: "live",
        workspace_id: await workspaceFor(identity, principal),
        surface: "mcp",
        idempotency_key: idempotency_key ?? call.idempotency_key,
        operation: "use-case.run",
      });
      return lookAtRun(services, call, run.row.id);
    },
  });

const getRun = (services: RunsToolServices): Tool =>
  tool({
    name: "get_run",
    title: "Look at a run",
    description: "Status, result and charges of a run of yours; waits up to 45 seconds.",
    scopes: ["runs:read"],
    hints: reading,
    advice: { not_found: "Find the run's id with list_runs." },
    input: closed({ run_id: T.String({ format: "uuid", description: "Of the run." }) }),
    output: RunAnswer,
    run: ({ run_id }, call) => lookAtRun(services, call, run_id),
  });

const longestList = 50;
const ListedRun = T.Object({
  run_id: T.String(),
  subject: T.String(),
  status: T.String(),
  charged_credits: T.Integer(),
  maximum_credits: T.Integer(),
  created_at: T.String(),
});

const listRuns = ({ store, identity }: RunsToolServices): Tool =>
  tool({
    name: "list_runs",
    title: "List runs",
    description: "Your workspace's runs, the newest first. Read one with get_run.",
    scopes: ["runs:read"],
    hints: reading,
    input: closed({
      status: T.Optional({ ...RunStatus, description: "Only those that are in it." }),
      capability: T.Optional({ ...CapabilitySlug, description: "Only runs of this capability, by its slug." }),
      limit: T.Optional(T.Integer({ minimum: 1, maximum: longestList, default: 10, description: "At most so many." })),
    }),
    output: T.Object({ runs: T.Array(ListedRun), more: T.Boolean() }),
    async run({ status, capability, limit = 10 }, { principal }) {
      const workspace_ids = await identity.workspaces(principal);
      await ensureCaughtUp(store, capability === undefined ? "workspace_runs" : "capability_runs");
      const found = await runsOf(store.read, { workspace_ids, status, capability, limit: limit + 1 });
      const runs = found.slice(0, limit).map((row) => ({
        run_id: row.id,
        subject: row.capability ?? row.use_case ?? "",
        status: row.status,
        charged_credits: row.charged_credits,
        maximum_credits: row.maximum_credits,
        created_at: rfc3339(row.created_at),
      }));
      const lines = runs.map(
        (run) =>
          `- ${run.run_id}: ${run.subject}, ${run.status}, ${run.charged_credits} of at most ${run.maximum_credits} credits, ${run.created_at}`,
      );
      const more = found.length > limit;
      if (more) lines.push("There are more: narrow by status or capability, or raise limit.");
      return { value: { runs, more }, text: lines.join("\n") || "No run." };
    },
  });

/** What the balance is shown beside. */
const days = 30;

const getCredits = ({ store, identity, clock, registry }: RunsToolServices): Tool =>
  tool({
    name: "get_credits",
    title: "Look at the credits",
    description: "The firm's balance, and what your workspace's runs were charged in the last 30 days.",
    scopes: ["account:read"],
    hints: reading,
    input: closed({}),
    output: T.Object({ available: T.Integer(), reserved: T.Integer(), charged_30d: T.Integer() }),
    async run(_none, { principal }) {
      const { firm_id } = principal;
      const balance = await creditBalance(store.read, firm_id);
      await ensureCaughtUp(store, "run_days");
      const workspaces = await identity.workspaces(principal);
      const { credits } = await usageSummary(store.read, registry.useCases, firm_id, workspaces, days, clock.now());
      const value = { ...balance, charged_30d: credits.charged };
      return {
        value,
        text: `${value.available} credits available, ${value.reserved} reserved for unfinished runs. ${value.charged_30d} charged in the last ${days} days.`,
      };
    },
  });

/** Running use cases, and reconciling whatever was run. Approving is for people: no tool does it. */
export const runsTools = (services: RunsToolServices): Tool[] => [
  runUseCase(services),
  getRun(services),
  listRuns(services),
  getCredits(services),
];
