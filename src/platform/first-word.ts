/**
 * An index of list entries by first word: exact or, with a trailing star, by prefix. A word of the caller's text is
 * compared only with the few entries that can match it.
 */
export class ByFirstWord<Entry> {
  private readonly whole: ReadonlyMap<string, readonly Entry[]>;
  private readonly begun: ReadonlyMap<string, readonly Entry[]>;
  /** Every prefix of the starred words: once a word is not among them, no longer prefix can match. */
  private readonly paths: ReadonlySet<string>;

  constructor(entries: readonly (readonly [first: string, entry: Entry])[]) {
    const [starred, plain] = [true, false].map((isStarred) =>
      entries.filter(([first]) => first.endsWith("*") === isStarred),
    );
    this.whole = grouped(plain ?? []);
    this.begun = grouped((starred ?? []).map(([first, entry]) => [first.slice(0, -1), entry]));
    this.paths = new Set([...this.begun.keys()].flatMap((key) => [...key].map((_, at) => key.slice(0, at))));
  }

  /** Returns the entries whose first word equals this one or is a starred prefix of it. */
  of(word: string): readonly Entry[] {
    let found = this.whole.get(word) ?? none;
    for (let length = 0; length <= word.length; length++) {
      const beginning = word.slice(0, length);
      const more = this.begun.get(beginning);
      if (more) found = [...found, ...more];
      else if (!this.paths.has(beginning)) break;
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
