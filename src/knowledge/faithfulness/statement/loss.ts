import { type Conflict, conflict, words } from "./conflict.ts";
import type { Part, Statement } from "./read.ts";
import type { Statements } from "./sentences.ts";

/** A proven claim and what it is compared with. */
export interface Proven {
  readonly claim: Statement;
  /** The whole answer. Like the question, it may keep what the claim leaves out. */
  readonly answer: Statement;
  readonly question: Statement;
  readonly all: Statements;
}

/**
 * Returns what a claim dropped from a sentence that states it; null if it dropped nothing of the kind that is checked.
 */
export type Loss = (proven: Proven, said: Statement) => Conflict | null;

/** Returns a conflict for the words of a sentence that a claim dropped; null if there are none. */
export const dropped = (said: Statement, parts: readonly Part[]): Conflict | null =>
  parts.length > 0 ? conflict("qualifier_dropped", [], words(said, parts)) : null;
