/**
 * Runs `work` for every item, at most `concurrency` at a time, and returns the results in the order of the items. After
 * the first failure or an abort, nothing more is started; running work is awaited, and then the error is thrown.
 */
export async function fan<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failed: { readonly error: unknown } | undefined;
  async function lane(): Promise<void> {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        signal.throwIfAborted();
        results[index] = await work(items[index] as Item, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  if (failed) throw failed.error;
  return results;
}
