import { type Clock, second } from "../platform/clock.ts";

/** Minimum interval between two progress reports of one actor. */
const pause = second;
/** Maximum length of a stage name, in characters. */
const longestStage = 60;

type Write = (stage: string, completed: number, total: number) => Promise<unknown>;
type Reported = Parameters<Write>;

const whole = (count: number): number => (Number.isSafeInteger(count) && count > 0 ? count : 0);

/**
 * Throttles an engine's progress reports to one write per second, always the latest. An engine may report at any rate.
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
    /** Writes nothing more, and waits for a write in progress. */
    async stop(): Promise<void> {
      stopped = true;
      await writing;
      disarm?.();
    },
  };
}
