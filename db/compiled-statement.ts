/** A value that SQLite accepts and returns. */
export type Bound = string | number | null | Uint8Array;

/** A compiled query: its SQL, and the source of each parameter's value. */
export interface CompiledStatement {
  readonly sql: string;
  /** The name of each parameter; `null` if the query itself contains its value. */
  readonly names: readonly (string | null)[];
  readonly values: readonly Bound[];
}

/** Returns a call's values in the order of the statement's parameters. */
export function bound({ names, values }: CompiledStatement, given: object): Bound[] {
  const named = given as Readonly<Record<string, Bound>>;
  return names.map((name, i) => (name === null ? (values[i] ?? null) : (named[name] ?? null)));
}
