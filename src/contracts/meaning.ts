/** The role that a text has in a comparison. */
export type TextKind = "query" | "passage";

/** How a passage relates to a claim or a question: probabilities, 0 to 1. The first three sum to one. */
export interface Reading {
  /** The passage entails the claim. */
  readonly entailed: number;
  /** The passage neither entails nor contradicts the claim. */
  readonly unsaid: number;
  /** The passage contradicts the claim. */
  readonly denied: number;
  /** The passage answers the text, if that is a question. */
  readonly answers: number;
  /** Whether the whole text was read, not only its beginning. */
  readonly whole: boolean;
}

/** The caller of a reading. */
export interface ReadFor {
  /** The firm, for fair queueing. */
  readonly firm: string;
  /** When it aborts, the caller stops waiting. */
  readonly signal?: AbortSignal;
}

/**
 * The meaning models: small models inside the executable that compare texts by meaning rather than wording. They may be
 * unavailable (not built in, too little memory, too slow); callers continue without them.
 */
export interface Meaning {
  /** Whether the executable contains the models; false if it was built with `--without-models`. */
  readonly isBuiltIn: boolean;
  /**
   * Returns the embedding of a text, 384 components of unit length, or null if unavailable. Passages are embedded when
   * idle, unless a question waits for them too (until the signal aborts). Never rejects.
   */
  vectorOf(text: string, kind: TextKind, waits?: AbortSignal): Promise<Float32Array | null>;
  /**
   * Reads a claim or a question together with a passage, of which about the first 170 tokens are used. Returns null if
   * no model can read it in time. Never rejects.
   */
  read(text: string, passage: string, asked: ReadFor): Promise<Reading | null>;
  /** Stops the thread; pending callers get null. */
  stop(): void;
}
