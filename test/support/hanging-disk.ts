import type { Runtime } from "../../src/platform/runtime.ts";

/** Returns a runtime whose writer thread uses a disk that hangs while the test says so, and then resumes. */
export function hangingDisk<R extends Runtime>(runtime: R) {
  const held: (() => void)[] = [];
  let isHanging = false;
  const thread: Runtime["thread"] = (name, listener) => {
    const started = runtime.thread(name, listener);
    const post: typeof started.post = (message, transfer) => {
      if (isHanging) held.push(() => started.post(message, transfer));
      else started.post(message, transfer);
    };
    return { ...started, post };
  };
  return {
    runtime: { ...runtime, thread },
    /** Number of messages waiting for the disk. */
    waiting: () => held.length,
    hang(): void {
      isHanging = true;
    },
    goOn(): void {
      isHanging = false;
      for (const post of held.splice(0)) post();
    },
  };
}
