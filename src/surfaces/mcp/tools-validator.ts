import { Type as T } from "@sinclair/typebox";
import {
  CreateAudienceInput,
  GetAudienceDetailsInput,
  GetResultInput,
  ListAudiencesInput,
  ListValidationsInput,
  RunValidationInput,
} from "../../products/capabilities/market-validator/schema.ts";
import type { ValidationResult } from "../../products/validator/schema.ts";
import type { Validator } from "../../products/validator/service.ts";
import { startedOf } from "../../products/validator/started.ts";
import type { Tool as CatalogueTool } from "../../registry/contract.ts";
import type { Registry } from "../../registry/registry.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { freshKeyAdvice } from "./idempotency.ts";
import { type Answer, type Hints, reading, type Tool, ToolFailure, tool } from "./tool.ts";

/** Services used by the validator's tools. */
export interface ValidatorToolServices {
  readonly validator: Validator;
  readonly registry: Registry;
}

/** The main members of the answers. Their full shapes are in `src/products/validator/schema.ts`. */
const Items = T.Array(T.Unknown());
const AudienceListAnswer = T.Object({ audiences: Items });
const Reading = { understood: Items, not_used: Items };
const AudienceAnswer = T.Object({ audience: T.Unknown(), personas: Items, personas_count: T.Integer(), ...Reading });
const AudienceCreatedAnswer = T.Object({ audience_id: T.String(), ...Reading });
const ValidationListAnswer = T.Object({ validations: Items });
const StartedAnswer = T.Object({ simulation_id: T.String(), status: T.String(), maximum_credits: T.Integer() });
const ResultAnswer = T.Object({
  simulation_id: T.String(),
  status: T.String(),
  verdict: T.Unknown(),
  confidence: T.Unknown(),
  summary: T.Unknown(),
  report: T.Unknown(),
  charged_credits: T.Integer(),
});

const usualLimit = 10;
const pollSeconds = 15;
const writing: Hints = { ...reading, readOnlyHint: false, idempotentHint: false };
const asText = <V>(value: V): Answer<V> => ({ value, text: JSON.stringify(value) });

/** Formats a result for clients that show only text: the verdict, who was asked, and the cost. */
function resultText(result: ValidationResult): string {
  const { simulation_id, status, progress, summary, error, report, charged_credits, dashboard_url } = result;
  if (error) return `Validation ${simulation_id} reached no verdict: ${error.message} (${error.code})`;
  if (status === "running")
    return `Validation ${simulation_id} is running: ${progress.completed} of ${progress.total} personas have answered. Poll get_result after ${pollSeconds} seconds.`;
  return [summary, ...(report?.notes ?? []), `Charged: ${charged_credits} credits. ${dashboard_url}`].join(" ");
}

/**
 * Returns the started validation. Throws `ToolFailure` if its run was refused, for example for lack of credits, or
 * failed.
 */
function answerOf(run: StoredRun): Answer<typeof StartedAnswer.static> {
  const { status, status_reason, charges } = runRecord(run);
  const { maximum_credits } = charges;
  if (status === "refused" || status === "failed")
    throw new ToolFailure(
      status_reason?.code ?? status,
      `${status_reason?.message ?? "The validation was not started."} Nothing was charged.`,
      `Read the reason. If credits are missing, the firm's owner can ask the operator to top up; do not retry before that. ${freshKeyAdvice}`,
    );
  const value = { ...startedOf(run), maximum_credits };
  const next =
    value.status === "running"
      ? `Poll get_result after ${pollSeconds} seconds; do not start it again.`
      : "See get_result.";
  return {
    value,
    text: `Validation ${value.simulation_id} is ${value.status}. It costs ${maximum_credits} credits at most. ${next}`,
  };
}

type Described = Pick<Tool, "scopes" | "hints">;
const reads: Described = { scopes: ["validator:read"], hints: reading };
const writes: Described = { scopes: ["validator:run"], hints: writing };

/** The tools for audiences and validations, described by the catalogue's texts. */
export function validatorTools({ validator, registry }: ValidatorToolServices): Tool[] {
  const sold = registry.capabilities.get("market-validator");
  if (!sold) return [];
  const words = new Map(sold.tools.map((one) => [one.name, one]));
  const described = (name: string) => {
    const { title = name, summary = "" }: Partial<CatalogueTool> = words.get(name) ?? {};
    return { name, title, description: summary, offered: () => sold.engine.ready() === null };
  };
  return [
    tool({
      ...described("list_audiences"),
      ...reads,
      input: ListAudiencesInput,
      output: AudienceListAnswer,
      run: async (_, { principal }) => asText(await validator.audiences(principal)),
    }),
    tool({
      ...described("get_audience_details"),
      ...reads,
      input: GetAudienceDetailsInput,
      output: AudienceAnswer,
      run: async ({ audience_id }, { principal }) => asText(await validator.audienceDetails(principal, audience_id)),
    }),
    tool({
      ...described("list_validations"),
      ...reads,
      input: ListValidationsInput,
      output: ValidationListAnswer,
      run: async ({ limit = usualLimit }, { principal }) => asText(await validator.latest(principal, limit)),
    }),
    tool({
      ...described("get_result"),
      ...reads,
      input: GetResultInput,
      output: ResultAnswer,
      async run({ simulation_id }, { principal }) {
        const value = await validator.result(principal, simulation_id);
        return { value, text: resultText(value) };
      },
    }),
    tool({
      ...described("create_audience"),
      ...writes,
      input: CreateAudienceInput,
      output: AudienceCreatedAnswer,
      run: async (asked, { principal, idempotency_key }) =>
        asText((await validator.createAudience(principal, asked, idempotency_key)).made),
    }),
    tool({
      ...described("run_validation"),
      ...writes,
      input: RunValidationInput,
      output: StartedAnswer,
      run: async (asked, { principal, idempotency_key }) =>
        answerOf((await validator.order(principal, asked, "mcp", idempotency_key)).run),
    }),
  ];
}
