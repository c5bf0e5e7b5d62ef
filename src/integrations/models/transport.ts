import { EngineError } from "../../contracts/engine.ts";
import { asFetch } from "../outbound/as-fetch.ts";
import { type Outbound, OutboundError } from "../outbound/types.ts";

/** Where a model is, as the operator configured it. */
export interface ModelEndpoint {
  /** The base address of an OpenAI-compatible interface, such as `https://models.example/v1`. */
  readonly url: string;
  readonly name: string;
  readonly api_key?: string | undefined;
  readonly timeout_ms: number;
}

/** A model answers in text; more than this is no answer to anything that is asked here. */
const longestAnswer = 4_194_304;

/**
 * What the AI SDK takes for `fetch`: the guard. A private endpoint is reached only when the operator has named it in
 * `outbound_allow_private`; a redirect is followed nowhere, since the key would go with it.
 */
export function guardedFetch(outbound: Outbound, { timeout_ms }: ModelEndpoint) {
  const fetch = asFetch(outbound, { max_bytes: longestAnswer, timeout_ms });
  return (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    fetch(input instanceof Request ? input.url : input, { ...init, method: "POST" });
}

const unavailable = (message: string) => new EngineError("model_unavailable", message, true);
const refused = (message: string) => new EngineError("model_refused", message, false);

function byStatus(status: number): EngineError {
  if (status === 429) return unavailable("The model's endpoint takes no more requests at present.");
  if (status === 408 || status >= 500) return unavailable("The model's endpoint failed.");
  if (status === 401 || status === 403) return refused("The model's endpoint did not accept this installation's key.");
  if (status === 404) return refused("The model's endpoint has no such model or address.");
  return refused("The model's endpoint refused the request.");
}

interface SeenError {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
}
const seen = (error: unknown): SeenError | null => (typeof error === "object" && error !== null ? error : null);

/**
 * What went wrong at the endpoint, as the durable step understands it: retryable where the same request may succeed
 * later. Nothing of the endpoint's own words is passed on, since they may repeat the prompt or the key. An abort by the
 * host is thrown as it is.
 */
export function endpointFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  for (let at = seen(error), depth = 0; at !== null && depth < 5; at = seen(at.cause), depth += 1) {
    if (at instanceof EngineError) return at;
    if (at instanceof OutboundError) return new EngineError("model_unavailable", at.message, at.retryable);
    if (typeof at.statusCode === "number" && (at.statusCode < 200 || at.statusCode >= 300))
      return byStatus(at.statusCode);
  }
  return unavailable("The model's endpoint answered with what is no answer of its interface.");
}
