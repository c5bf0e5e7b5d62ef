import type { Runtime } from "../../src/platform/runtime.ts";

/** A runtime whose writing thread works on a disk that hangs while a test says so, and then goes on where it was. */
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
    /** How many messages wait for the disk. */
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
