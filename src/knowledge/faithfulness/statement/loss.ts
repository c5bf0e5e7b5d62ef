import { type Conflict, conflict, words } from "./conflict.ts";
import type { Part, Statement } from "./read.ts";
import type { Statements } from "./sentences.ts";

/** A claim that is proven, and what it is held against. */
export interface Proven {
  readonly claim: Statement;
  /** The whole answer, which may keep what the claim leaves out, as the question may. */
  readonly answer: Statement;
  readonly question: Statement;
  readonly all: Statements;
}

/** What a claim lost of a sentence that says it; null where it lost nothing of the kind. */
export type Loss = (proven: Proven, said: Statement) => Conflict | null;

/** Words of a sentence that a claim lost; null for none. */
export const dropped = (said: Statement, parts: readonly Part[]): Conflict | null =>
  parts.length > 0 ? conflict("qualifier_dropped", [], words(said, parts)) : null;
