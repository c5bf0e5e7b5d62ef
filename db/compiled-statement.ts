/** What SQLite takes and gives. */
export type Bound = string | number | null | Uint8Array;

/** A compiled query: its text, and where the value of each of its parameters comes from. */
export interface CompiledStatement {
  readonly sql: string;
  /** Per parameter: the name that it is given by; null where the query itself holds its value. */
  readonly names: readonly (string | null)[];
  readonly values: readonly Bound[];
}

/** The values of a call in the order of the statement's parameters. */
export function bound({ names, values }: CompiledStatement, given: object): Bound[] {
  const named = given as Readonly<Record<string, Bound>>;
  return names.map((name, i) => (name === null ? (values[i] ?? null) : (named[name] ?? null)));
}
