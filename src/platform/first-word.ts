/**
 * Entries of a list by the word that they begin with: whole or, with a star, by its beginning. A word of a caller's text is
 * compared with the few that may begin with it, and not with all that begin with its letter.
 */
export class ByFirstWord<Entry> {
  private readonly whole: ReadonlyMap<string, readonly Entry[]>;
  private readonly begun: ReadonlyMap<string, readonly Entry[]>;
  /** Characters of the longest beginning. */
  private readonly longest: number;

  constructor(entries: readonly (readonly [first: string, entry: Entry])[]) {
    const [starred, plain] = [true, false].map((isStarred) =>
      entries.filter(([first]) => first.endsWith("*") === isStarred),
    );
    this.whole = grouped(plain ?? []);
    this.begun = grouped((starred ?? []).map(([first, entry]) => [first.slice(0, -1), entry]));
    this.longest = Math.max(0, ...[...this.begun.keys()].map(({ length }) => length));
  }

  /** Those whose first word is this one, or begins it. */
  of(word: string): readonly Entry[] {
    let found = this.whole.get(word) ?? none;
    for (let length = Math.min(word.length, this.longest); length >= 0; length--) {
      const more = this.begun.get(word.slice(0, length));
      if (more) found = [...found, ...more];
    }
    return found;
  }
}

const none: readonly never[] = [];

function grouped<Entry>(entries: readonly (readonly [string, Entry])[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [key, entry] of entries) {
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
