import { type Clock, second } from "../platform/clock.ts";

/** Between two reports of one actor's progress. */
const pause = second;
/** A stage is a word or two. */
const longestStage = 60;

type Write = (stage: string, completed: number, total: number) => Promise<unknown>;
type Reported = Parameters<Write>;

const whole = (count: number): number => (Number.isSafeInteger(count) && count > 0 ? count : 0);

/**
 * What an engine reports of its work, passed on at most once a second and the latest each time: an engine may report
 * every page without anybody noticing.
 */
export function createProgress(clock: Clock, write: Write) {
  let latest: Reported | undefined;
  let writing: Promise<unknown> | undefined;
  let disarm: (() => void) | undefined;
  let stopped = false;

  function flush(): void {
    disarm = undefined;
    if (stopped || !latest || writing) return;
    const reported = latest;
    latest = undefined;
    writing = write(...reported).finally(() => {
      writing = undefined;
      disarm = clock.after(pause, flush);
    });
  }

  return {
    report(stage: string, completed: number, total: number): void {
      latest = [stage.slice(0, longestStage), Math.min(whole(completed), whole(total)), whole(total)];
      if (!disarm && !writing) flush();
    },
    /** Writes nothing more, and waits for what is being written. */
    async stop(): Promise<void> {
      stopped = true;
      await writing;
      disarm?.();
    },
  };
}
