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
  /** Sent along, so that endpoints that can, keep to it; what comes back is checked all the same. */
  readonly schema: TSchema;
  readonly signal: AbortSignal;
}

/** One language model behind an OpenAI-compatible endpoint. */
export interface LanguageModel {
  /** The name that runs and receipts show. */
  readonly name: string;
  /** Why no request would be sent now, in words for the operator; null when one would. */
  ready(): string | null;
  /** The model's own text. Throws `model_unavailable` (retryable) and `model_refused`, or the signal's reason. */
  complete(request: ModelRequest): Promise<string>;
}

/** Why the guard would not let a request to the endpoint out, as far as its spelling tells. */
export function endpointReady(outbound: Outbound, { url }: ModelEndpoint, setting: string): string | null {
  try {
    outbound.checkUrl(url);
    return null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return `${setting} may not be fetched: ${error.message} Name its host:port in outbound_allow_private if it is yours.`;
  }
}

/** The AI SDK's parts that are used, loaded at the first request: an installation without a model never loads them. */
async function sdk() {
  const [{ generateText, jsonSchema, NoObjectGeneratedError, Output }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  return { generateText, jsonSchema, NoObjectGeneratedError, Output, createOpenAICompatible };
}

/** A client for the endpoint. Retrying is the durable step's business, so nothing is retried here. */
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
        // The SDK could make no object of it: the caller judges what the model said.
        if (NoObjectGeneratedError.isInstance(error)) return error.text ?? "";
        throw endpointFailure(error, signal);
      }
    },
  };
}
