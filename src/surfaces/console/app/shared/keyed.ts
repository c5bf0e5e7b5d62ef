/** Items beside a key by their place: for lists that never change their order, whose items have no name of their own. */
export const keyed = <T>(items: readonly T[]): { readonly key: string; readonly item: T }[] =>
  items.map((item, i) => ({ key: `place-${i}`, item }));
