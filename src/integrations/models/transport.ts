import { EngineError } from "../../contracts/engine.ts";
import { asFetch } from "../outbound/as-fetch.ts";
import { type Outbound, OutboundError } from "../outbound/types.ts";

/** A model's endpoint, as the operator configured it. */
export interface ModelEndpoint {
  /** The base URL of an OpenAI-compatible API, such as `https://models.example/v1`. */
  readonly url: string;
  readonly name: string;
  readonly api_key?: string | undefined;
  readonly timeout_ms: number;
}

/** Maximum size of an answer, in bytes. No legitimate answer is larger. */
const longestAnswer = 4_194_304;

/**
 * Returns a `fetch` for the AI SDK that goes through the guard. A private endpoint is reached only if the operator
 * listed it in `outbound_allow_private`. Redirects are not followed, since the key would be sent along.
 */
export function guardedFetch(outbound: Outbound, { timeout_ms }: ModelEndpoint) {
  const fetch = asFetch(outbound, { max_bytes: longestAnswer, timeout_ms });
  return (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    fetch(input instanceof Request ? input.url : input, { ...init, method: "POST" });
}

const unavailable = (message: string) => new EngineError("model_unavailable", message, true);
const refused = (message: string) => new EngineError("model_refused", message, false);

function byStatus(status: number): EngineError {
  if (status === 429) return unavailable("The model's endpoint is rate-limiting requests.");
  if (status === 408 || status >= 500) return unavailable("The model's endpoint failed.");
  if (status === 401 || status === 403) return refused("The model's endpoint rejected this installation's API key.");
  if (status === 404) return refused("The model's endpoint does not know this model or URL.");
  return refused("The model's endpoint rejected the request.");
}

interface SeenError {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
}
const seen = (error: unknown): SeenError | null => (typeof error === "object" && error !== null ? error : null);

/**
 * Returns the error of a failed request for the durable step, retryable if the same request may succeed later. The
 * endpoint's own text is not passed on, since it may repeat the prompt or the key. If the host aborted, returns the
 * signal's reason.
 */
export function endpointFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  for (let at = seen(error), depth = 0; at !== null && depth < 5; at = seen(at.cause), depth += 1) {
    if (at instanceof EngineError) return at;
    if (at instanceof OutboundError) return new EngineError("model_unavailable", at.message, at.retryable);
    if (typeof at.statusCode === "number" && (at.statusCode < 200 || at.statusCode >= 300))
      return byStatus(at.statusCode);
  }
  return unavailable("The model's endpoint sent a response that is not OpenAI-compatible.");
}
