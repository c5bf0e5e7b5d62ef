import { type Static, Type as T } from "@sinclair/typebox";
import { type EngineContext, EngineError, type EngineOutcome } from "../../contracts/engine.ts";
import type { OutboundResponse } from "../../integrations/outbound/types.ts";
import { closed } from "../../platform/schema.ts";
import { checker } from "../../platform/validate.ts";
import type { EngineServices } from "../../registry/services.ts";
import { parsedAnswer } from "./answer.ts";
import { asEngineError, refusedBy, unavailable } from "./failures.ts";
import type { ConnectorEngineConfig } from "./manifest.ts";
import { signedHeaders } from "./signature.ts";

/** Body of a 200 response: the result, validated against the output schema, and the charge if it is not the price. */
const Answer = T.Object({ result: T.Unknown(), credits: T.Optional(T.Integer({ minimum: 0 })) });
type Answer = Static<typeof Answer>;

/** Optional body of any other response: the reason. */
const Refusal = T.Object({
  error: closed({ code: T.String({ pattern: "^[a-z][a-z0-9_]{0,59}$" }), message: T.String({ maxLength: 500 }) }),
});
type Refusal = Static<typeof Refusal>;

const isAnswer = (value: unknown): value is Answer => checker(Answer).Check(value);
const isRefusal = (value: unknown): value is Refusal => checker(Refusal).Check(value);

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

function jsonOf({ body }: OutboundResponse): unknown {
  try {
    return parsedAnswer(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function outcomeOf(response: OutboundResponse): EngineOutcome<unknown> {
  const { status } = response;
  const answer = jsonOf(response);
  if (status === 200) {
    if (isAnswer(answer)) return answer;
    throw new EngineError("connector_protocol_error", "The connector's answer is not the required JSON.", false);
  }
  if (passing.has(status)) throw unavailable();
  if (status >= 400 && isRefusal(answer)) throw refusedBy(answer.error.code, answer.error.message);
  throw refusedBy();
}

/** Calls an HTTPS endpoint with one signed POST per attempt, under the step's key. */
export async function askEndpoint(
  { outbound, runtime }: EngineServices,
  { slug, semantic_version }: { readonly slug: string; readonly semantic_version: string },
  config: ConnectorEngineConfig,
  secret: string,
  input: unknown,
  { signal, stepKey }: EngineContext,
): Promise<EngineOutcome<unknown>> {
  const body = JSON.stringify({ capability: slug, semantic_version, input });
  try {
    // The address was allowed when the connector was added, but the settings may have changed.
    const url = outbound.checkUrl(config.url);
    const signed = { method: "POST", url, idempotency_key: stepKey, body, secret, key_id: slug, at: runtime.now() };
    const response = await outbound.fetch(url, {
      method: "POST",
      headers: { ...signedHeaders(signed), "content-type": "application/json", accept: "application/json" },
      body,
      signal,
      max_bytes: config.max_response_bytes,
      timeout_ms: config.deadline_ms,
      max_redirects: 0,
    });
    return outcomeOf(response);
  } catch (error) {
    throw asEngineError(error);
  }
}
