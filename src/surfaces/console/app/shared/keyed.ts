/** Pairs items with their index as the key, for lists that never change their order and whose items have no id. */
export const keyed = <T>(items: readonly T[]): { readonly key: string; readonly item: T }[] =>
  items.map((item, i) => ({ key: `place-${i}`, item }));
