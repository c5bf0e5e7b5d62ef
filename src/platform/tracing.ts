/** What a span says besides its name: ours alone, never what a caller has sent. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** How a request's answer is entered into its span. */
export interface Served {
  readonly route: string | null;
  readonly status: number;
}

/**
 * Measures how a request becomes a decision, effects and requests to providers, across the moments in which nothing but a
 * row connects them. Made by `integrations/tracing` where a collector is configured; absent, nothing is measured.
 */
export interface Tracing {
  /** A request's span, below the caller's own where `traceparent` names one. `served` is asked once it is answered. */
  request<T>(request: Request, id: string, work: () => Promise<T>, served: (answer: T) => Served): Promise<T>;
  /** A part of what is under way: a decision, or a request to a provider. */
  span<T>(kind: "decide" | "provider", name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Remembers that what is under way has led to an effect. */
  leadsTo(effect_id: string): void;
  /** An effect's span, below what led to it; after a restart it begins a trace of its own. */
  effect<T>(effect_id: string, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Sends what has not been sent. */
  stop(): Promise<void>;
}
