/** What ends an attempt from outside: a cancel, the shutdown, its deadline. */
export interface Control {
  readonly aborted: boolean;
  /** For what is called. It is made when it is first asked for: most steps never look. */
  readonly signal: AbortSignal;
  abort(): void;
  /** Calls back at the abort, or at once behind it. One listener: the attempt's own. */
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
