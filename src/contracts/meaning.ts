/** What a text is to be compared as. */
export type TextKind = "query" | "passage";

/** How a claim stands to a passage, and a question to it: probabilities, 0 to 1. The first three make up one. */
export interface Reading {
  /** The passage says what the claim says. */
  readonly entailed: number;
  /** It neither says nor denies it. */
  readonly unsaid: number;
  /** It says otherwise. */
  readonly denied: number;
  /** It answers the text, where that is a question. */
  readonly answers: number;
  /** Whether all of the text was read, and not its beginning alone. */
  readonly whole: boolean;
}

/** For whom something is read. */
export interface ReadFor {
  /** Firms take turns. */
  readonly firm: string;
  /** Its abort ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Knowledge of what words mean, beyond their letters, from small models inside the executable. All of it may be missing:
 * built without, memory short, or not in time. The caller goes on without it.
 */
export interface Meaning {
  /** Whether there are models at all; false in an executable built with `--without-models`. */
  readonly isBuiltIn: boolean;
  /**
   * The vector of a text, 384 components of unit length; null where there is none. Passages are read when nobody waits for
   * anything else, unless a question waits for them too: until the signal aborts. Never rejects.
   */
  vectorOf(text: string, kind: TextKind, waits?: AbortSignal): Promise<Float32Array | null>;
  /**
   * Reads a claim or a question together with a passage, of which the first 170 tokens or so count. Null where nobody can
   * read it in time. Never rejects.
   */
  read(text: string, passage: string, asked: ReadFor): Promise<Reading | null>;
  /** Ends the thread; callers who still wait get null. */
  stop(): void;
}
