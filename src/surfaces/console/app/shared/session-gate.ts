import { useSyncExternalStore } from "react";
import { createSignal } from "./signal.ts";

/** Requests that wait for somebody to sign in again, and who is told when some begin or stop to wait. */
const waiting = new Map<() => void, SignInReason>();
/** Why somebody has to: the session has ended, is too old for what was asked, or is somebody else's. */
export type SignInReason = "ended" | "again" | "another";

const { subscribe, publish } = createSignal();

/** Opens the sign-in dialog, and is done when somebody has signed in there. What waits keeps all that was typed. */
export function signInAgain(why: SignInReason): Promise<void> {
  return new Promise((resolve) => {
    waiting.set(resolve, why);
    publish();
  });
}

/** Is done when somebody has to sign in for the first time, for the start. */
export const signInIsAsked = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = subscribe(() => {
      stop();
      resolve();
    });
  });

/** Lets everything go on that waits, for the dialog. */
export function signedInAgain(): void {
  const resumed = [...waiting.keys()];
  waiting.clear();
  publish();
  for (const resume of resumed) resume();
}

/** Why somebody has to sign in again; null while nobody has to. */
export const useSignInReason = (): SignInReason | null =>
  useSyncExternalStore(subscribe, () => [...waiting.values()].at(-1) ?? null);
