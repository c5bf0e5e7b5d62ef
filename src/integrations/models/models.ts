import type { Outbound } from "../outbound/types.ts";
import { type ConfiguredEmbedding, createEmbeddingModel } from "./embedding.ts";
import { createLanguageModel, type LanguageModel } from "./language.ts";
import type { ModelEndpoint } from "./transport.ts";

/** The models of an installation. Without a configuration there are none, and every engine is the embedded one. */
export interface Models {
  /**
   * Returns the model that serves a capability, or null if the embedded engine does. Neither falls back to the other.
   */
  forCapability(slug: string): LanguageModel | null;
  readonly embedding: ConfiguredEmbedding | null;
}

export interface ModelOptions {
  readonly language?: ModelEndpoint | undefined;
  /** Slugs of the capabilities that the language model serves. */
  readonly capabilities?: readonly string[] | undefined;
  readonly embedding?: ModelEndpoint | undefined;
}

/** Creates the clients. Nothing is loaded or requested before the first request. */
export function createModels({ language, capabilities = [], embedding }: ModelOptions, outbound: Outbound): Models {
  const model = language ? createLanguageModel(language, outbound) : null;
  return {
    forCapability: (slug) => (capabilities.includes(slug) ? model : null),
    embedding: embedding ? createEmbeddingModel(embedding, outbound) : null,
  };
}
