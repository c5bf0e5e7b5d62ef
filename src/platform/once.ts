/** What `make` makes at the first call, and the same from then on: for constants that take long to prepare. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
