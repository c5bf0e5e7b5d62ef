/** What a text is to be compared as. */
export type TextKind = "query" | "passage";

/**
 * Knowledge of what words mean, beyond their letters, from a small model inside the executable. All of it may be missing:
 * built without, memory short, or not in time. The caller goes on without it.
 */
export interface Meaning {
  /** Whether there is a model at all; false in an executable built with `--without-models`. */
  readonly isBuiltIn: boolean;
  /** The vector of a text, 384 components of unit length; null where there is none. Never rejects. */
  vectorOf(text: string, kind: TextKind): Promise<Float32Array | null>;
  /** Ends the thread; callers who still wait get null. */
  stop(): void;
}
