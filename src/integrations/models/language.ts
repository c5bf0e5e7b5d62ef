import type { TSchema } from "@sinclair/typebox";
import { type Outbound, OutboundError } from "../outbound/types.ts";
import { endpointFailure, guardedFetch, type ModelEndpoint } from "./transport.ts";

export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Sent to endpoints that support structured output. The answer is validated regardless. */
  readonly schema: TSchema;
  readonly signal: AbortSignal;
}

/** A language model behind an OpenAI-compatible endpoint. */
export interface LanguageModel {
  /** The name that runs and receipts show. */
  readonly name: string;
  /** Returns null if a request would be sent now; otherwise why not, in words for the operator. */
  ready(): string | null;
  /** Returns the model's text. Throws `model_unavailable` (retryable), `model_refused`, or the signal's reason. */
  complete(request: ModelRequest): Promise<string>;
}

/** Returns why the guard would block a request to the endpoint, judging by the URL alone, or null. */
export function endpointReady(outbound: Outbound, { url }: ModelEndpoint, setting: string): string | null {
  try {
    outbound.checkUrl(url);
    return null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return `${setting} may not be fetched: ${error.message} If the endpoint is yours, add its host:port to outbound_allow_private.`;
  }
}

/**
 * The parts of the AI SDK that are used, loaded at the first request, so that an installation without a model never
 * loads them.
 */
async function sdk() {
  const [{ generateText, jsonSchema, NoObjectGeneratedError, Output }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  return { generateText, jsonSchema, NoObjectGeneratedError, Output, createOpenAICompatible };
}

/** Creates a client for the endpoint. It does not retry; the durable step does. */
export function createLanguageModel(endpoint: ModelEndpoint, outbound: Outbound): LanguageModel {
  const { url, name, api_key } = endpoint;
  const fetch = Object.assign(guardedFetch(outbound, endpoint), { preconnect: () => undefined });
  return {
    name,
    ready: () => endpointReady(outbound, endpoint, "model_url"),
    async complete({ system, messages, schema, signal }) {
      const { generateText, jsonSchema, NoObjectGeneratedError, Output, createOpenAICompatible } = await sdk();
      const provider = createOpenAICompatible({
        name: "model",
        baseURL: url,
        supportsStructuredOutputs: true,
        fetch,
        ...(api_key !== undefined && { apiKey: api_key }),
      });
      try {
        const { text } = await generateText({
          model: provider(name),
          instructions: system,
          messages: messages.map(({ role, content }) => ({ role, content })),
          output: Output.object({ name: "answer", schema: jsonSchema(JSON.parse(JSON.stringify(schema))) }),
          temperature: 0,
          seed: 1,
          maxRetries: 0,
          abortSignal: signal,
        });
        return text;
      } catch (error) {
        // The SDK could not parse an object from it; the caller validates the text.
        if (NoObjectGeneratedError.isInstance(error)) return error.text ?? "";
        throw endpointFailure(error, signal);
      }
    },
  };
}
