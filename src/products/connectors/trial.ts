import { attemptOnce } from "../../execution/attempt.ts";
import { createControl } from "../../execution/control.ts";
import { Failure } from "../../platform/errors.ts";
import { seededRandom } from "../../platform/random.ts";
import { problems } from "../../platform/validate.ts";
import { inputAt } from "../../registry/input.ts";
import type { EngineServices } from "../../registry/services.ts";
import { definitionOf } from "./definition.ts";
import { connectorEngine, type StoredSecret } from "./engine.ts";
import type { ConnectorManifest } from "./schema.ts";

/** The result of trying a connector outside of any run. */
export type Trial =
  | { readonly ok: true; readonly milliseconds: number; readonly result: unknown; readonly credits: number | null }
  | {
      readonly ok: false;
      readonly milliseconds: number;
      readonly error: { readonly code: string; readonly message: string };
    };

/** The firm that a trial runs for. */
const firm = "operator";

/** Calls a connector once, as a run's step would. Throws `validation_error` for an invalid input. */
export async function tryConnector(
  manifest: ConnectorManifest,
  stored: StoredSecret,
  services: EngineServices,
  input: unknown,
): Promise<Trial> {
  const { runtime, log } = services;
  const engine = connectorEngine(manifest, stored, services);
  const { input_schema, output_schema, deadline_ms, pricing } = definitionOf(manifest, engine);
  const details = problems(input_schema, input, "/input");
  if (details.length > 0) throw new Failure("validation_error", details);
  await inputAt("/input", Promise.resolve(engine.admit?.(input, { firm_id: firm, workspace_id: null })));
  const stepKey = `trial:${runtime.id()}`;
  const began = runtime.now();
  const attempted = await attemptOnce(runtime, log, {
    engine,
    input,
    context: {
      stepKey,
      firm,
      now: () => new Date(runtime.now()),
      random: seededRandom(stepKey),
      earlier: {},
    },
    control: createControl(),
    deadline_ms,
    output_schema,
    overdue: { code: "step_timed_out", message: "It did not answer by its deadline." },
  });
  const milliseconds = runtime.now() - began;
  if (attempted && "outcome" in attempted) {
    const { result, credits = null } = attempted.outcome;
    const most = pricing.hard_cost_limit_credits;
    if (credits !== null && !(Number.isSafeInteger(credits) && credits >= 0 && credits <= most)) {
      const message = `It asked for ${credits} credits, but live_credits in the manifest is ${most}. A run would fail.`;
      return { ok: false, milliseconds, error: { code: "charge_above_maximum", message } };
    }
    return { ok: true, milliseconds, result, credits };
  }
  const { code, message } = attempted?.failed ?? { code: "stopped", message: "It was stopped." };
  return { ok: false, milliseconds, error: { code, message } };
}
