import { Type as T } from "@sinclair/typebox";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import { creditBalance, usageSummary } from "../../accounts/usage/service.ts";
import { type Identity, workspaceFor } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import { invalid } from "../../platform/errors.ts";
import { closed } from "../../platform/schema.ts";
import type { UseCases } from "../../products/use-cases/service.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { IdempotencyKey, idempotencyMeta } from "./idempotency.ts";
import { followRun, lookAtRun, RunAnswer, RunRecordAnswer, type RunWaitServices, spending } from "./run-answer.ts";
import { reading, type Tool, tool } from "./tool.ts";
import { UseCaseInput, UseCaseSlug } from "./tools-docs.ts";
import { listRuns, type RunListServices } from "./tools-run-list.ts";

/** Services used by these tools. */
export interface RunsToolServices extends RunWaitServices, RunListServices {
  readonly clock: Clock;
  readonly acceptance: Acceptance;
  readonly identity: Identity;
  readonly useCases: UseCases;
}

const runUseCase = (services: RunsToolServices): Tool =>
  tool({
    name: "run_use_case",
    title: "Run a use case",
    description:
      "Run a use case after the person agreed to its price. Returns the result, or a run_id to poll; it may wait for approval.",
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
        T.String({ format: "uuid", description: "From quote_use_case. The run is refused if price or input differ." }),
      ),
      idempotency_key: T.Optional({ ...IdempotencyKey, description: "The same key returns the same run." }),
    }),
    output: RunAnswer,
    async run({ slug, input, quote_id, idempotency_key }, call) {
      const { principal } = call;
      const { identity, useCases, acceptance } = services;
      if (idempotency_key !== undefined && (call.idempotency_key ?? idempotency_key) !== idempotency_key)
        throw invalid("/body/idempotency_key", `must be the key in ${idempotencyMeta}, or be left out`);
      const { run } = await acceptance.accept({
        principal,
        slug,
        plan: () => useCases.plan(slug, input, quote_id),
        input,
        mode: "live",
        workspace_id: await workspaceFor(identity, principal),
        surface: "mcp",
        idempotency_key: idempotency_key ?? call.idempotency_key,
        operation: "use-case.run",
      });
      return followRun(services, call, run.row.id);
    },
  });

const getRun = (services: RunsToolServices): Tool =>
  tool({
    name: "get_run",
    title: "Get a run",
    description:
      "Get a run's status, reason, results and charges, even if it failed. Waits up to 45 seconds. To cancel it, use the console or REST.",
    scopes: ["runs:read"],
    hints: reading,
    advice: { not_found: "Find the run's id with list_runs." },
    input: closed({ run_id: T.String({ format: "uuid", description: "The run's id." }) }),
    output: RunRecordAnswer,
    run: ({ run_id }, call) => lookAtRun(services, call, run_id),
  });

/** Period of the charges shown with the balance. */
const days = 30;

const getCredits = ({ store, identity, clock, registry }: RunsToolServices): Tool =>
  tool({
    name: "get_credits",
    title: "Get the credits",
    description: "Get the firm's credit balance, and your workspace's charges in the last 30 days.",
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

/** The tools to run use cases and to look up runs and credits. No tool approves: approval is for people. */
export const runsTools = (services: RunsToolServices): Tool[] => [
  runUseCase(services),
  getRun(services),
  listRuns(services),
  getCredits(services),
];
