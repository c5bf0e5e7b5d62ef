/** Aborts an attempt from outside: on cancel, at shutdown or at its deadline. */
export interface Control {
  readonly aborted: boolean;
  /** For what the attempt calls. Created on first use, because most steps never need it. */
  readonly signal: AbortSignal;
  abort(): void;
  /** Calls `hear` on abort, or immediately if already aborted. There is one listener: the attempt itself. */
  onAbort(hear: () => void): void;
}

export function createControl(): Control {
  let controller: AbortController | undefined;
  let aborted = false;
  let listener: (() => void) | undefined;
  return {
    get aborted() {
      return aborted;
    },
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (aborted) controller.abort();
      }
      return controller.signal;
    },
    abort() {
      if (aborted) return;
      aborted = true;
      controller?.abort();
      listener?.();
    },
    onAbort(hear) {
      listener = hear;
      if (aborted) hear();
    },
  };
}
