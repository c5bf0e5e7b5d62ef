import type { Runtime } from "./runtime.ts";

/**
 * One made of each item, in their order, and each in a turn of the event loop of its own: for what is made once of many
 * parts, which together would hold up every other request.
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
