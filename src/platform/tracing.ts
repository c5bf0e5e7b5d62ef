/** A span's attributes: only values of Assay's own, never anything that a caller sent. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The response's attributes, recorded on the request's span. */
export interface Served {
  readonly route: string | null;
  readonly status: number;
}

/**
 * Traces a request through its decision, its effects and its provider calls, even where only a database row links them.
 * Created by `integrations/tracing` when a collector is configured; otherwise absent, and nothing is measured.
 */
export interface Tracing {
  /**
   * Runs `work` in a request's span, a child of the caller's span if the request has a `traceparent`. `served` is
   * called with the answer.
   */
  request<T>(request: Request, id: string, work: () => Promise<T>, served: (answer: T) => Served): Promise<T>;
  /** Runs `work` in a child span: a decision, or a request to a provider. */
  span<T>(kind: "decide" | "provider", name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Links the current span to an effect that it created. */
  leadsTo(effect_id: string): void;
  /**
   * Runs `work` in an effect's span, a child of the span that created the effect. After a restart the link is lost, and
   * it starts a new trace.
   */
  effect<T>(effect_id: string, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}
