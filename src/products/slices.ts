import { cooperativeYield, type Turns } from "../knowledge/retrieval/cooperative-yield.ts";

/** Work that yields wherever other work may have a turn. */
export type Interruptible<T> = Generator<undefined, T>;

/** Does the work, with turns for other work in between. */
export async function runCooperatively<T>(runtime: Turns, work: Interruptible<T>): Promise<T> {
  const yieldTurn = cooperativeYield(runtime);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldTurn();
  }
}
