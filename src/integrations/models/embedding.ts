import { EngineError } from "../../contracts/engine.ts";
import type { Outbound } from "../outbound/types.ts";
import { endpointReady } from "./language.ts";
import { endpointFailure, guardedFetch, type ModelEndpoint } from "./transport.ts";

/** Turns texts into vectors whose cosine measures similarity of meaning. Used by the search index and by re-ranking. */
export interface EmbeddingModel {
  /** The model's name, as the operator configured it. Vectors of different models are never compared. */
  readonly name: string;
  /**
   * Returns one vector for each text, in order, all of one length. Throws `EngineError`, retryable if the endpoint may
   * recover.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** An embedding model with its readiness. */
export interface ConfiguredEmbedding extends EmbeddingModel {
  /** Returns null if a request would be sent now; otherwise why not, for the operator. */
  ready(): string | null;
}

/** Texts per request, a size that every known endpoint accepts. */
const batch = 64;

function checked(embeddings: readonly (readonly number[])[], wanted: number): Float32Array[] {
  const length = embeddings[0]?.length ?? 0;
  const sound =
    embeddings.length === wanted &&
    length > 0 &&
    embeddings.every((vector) => vector.length === length && vector.every(Number.isFinite));
  if (!sound)
    throw new EngineError(
      "model_output_invalid",
      "The embedding endpoint's response contains no valid vectors.",
      false,
    );
  return embeddings.map((vector) => Float32Array.from(vector));
}

/** Creates a client for the endpoint. It does not retry; that is up to the caller's step. */
export function createEmbeddingModel(endpoint: ModelEndpoint, outbound: Outbound): ConfiguredEmbedding {
  const { url, name, api_key } = endpoint;
  const fetch = Object.assign(guardedFetch(outbound, endpoint), { preconnect: () => undefined });
  return {
    name,
    ready: () => endpointReady(outbound, endpoint, "embedding_url"),
    async embed(texts, signal) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const provider = createOpenAICompatible({
        name: "embedding",
        baseURL: url,
        fetch,
        ...(api_key !== undefined && { apiKey: api_key }),
      });
      const model = provider.embeddingModel(name);
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        const values = texts.slice(at, at + batch);
        try {
          const { embeddings } = await model.doEmbed({ values, abortSignal: signal });
          vectors.push(...checked(embeddings, values.length));
        } catch (error) {
          throw endpointFailure(error, signal);
        }
      }
      return vectors.length > 0 && vectors.some((vector) => vector.length !== vectors[0]?.length)
        ? checked([], texts.length)
        : vectors;
    },
  };
}
