/**
 * What the conformance suite asks for and is not built yet. The list only shrinks: a failed check that it does not cover
 * fails `bun run check`, and so does a line of it that covers no failure any more.
 */

/** Paths without a route. They cover checks that found nothing there, and no other failure of theirs. */
export const unbuiltPaths: readonly string[] = [];

/** A thing, and the checks that fail for it: by the check's name and by what it says. */
export interface Failing {
  readonly what: string;
  readonly name: RegExp;
  readonly why: RegExp;
}

export const unbuilt: readonly Failing[] = [];
