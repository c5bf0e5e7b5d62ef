import { cooperativeYield, type Turns } from "../knowledge/retrieval/cooperative-yield.ts";

/** Work as a generator that yields wherever other work may run. */
export type Interruptible<T> = Generator<undefined, T>;

/** Runs the work, yielding to other work in between. */
export async function runCooperatively<T>(runtime: Turns, work: Interruptible<T>): Promise<T> {
  const yieldTurn = cooperativeYield(runtime);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldTurn();
  }
}
