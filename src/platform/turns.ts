import type { Runtime } from "./runtime.ts";

/**
 * Maps the items in order, each in its own turn of the event loop, so that building many parts at once does not block
 * other requests.
 */
export async function madeInTurns<Item, Made>(
  items: Iterable<Item>,
  { nextTurn }: Pick<Runtime, "nextTurn">,
  make: (item: Item) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    await nextTurn();
    made.push(make(item));
  }
  return made;
}
