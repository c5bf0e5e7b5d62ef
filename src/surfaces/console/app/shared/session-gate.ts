import { useSyncExternalStore } from "react";
import { createSignal } from "./signal.ts";

/** Requests that wait for a sign-in, by their resume function, with the reason. */
const waiting = new Map<() => void, SignInReason>();
/** Why a sign-in is needed: the session has ended, is too old for the request, or belongs to another person or firm. */
export type SignInReason = "ended" | "again" | "another";

const { subscribe, publish } = createSignal();

/** Opens the sign-in dialog, and resolves after the sign-in. The page keeps its input meanwhile. */
export function signInAgain(why: SignInReason): Promise<void> {
  return new Promise((resolve) => {
    waiting.set(resolve, why);
    publish();
  });
}

/** Resolves when a sign-in is first required. Used at startup. */
export const signInIsAsked = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = subscribe(() => {
      stop();
      resolve();
    });
  });

/** Resumes all waiting requests. Called by the dialog. */
export function signedInAgain(): void {
  const resumed = [...waiting.keys()];
  waiting.clear();
  publish();
  for (const resume of resumed) resume();
}

/** Returns why a sign-in is required; null if it is not. */
export const useSignInReason = (): SignInReason | null =>
  useSyncExternalStore(subscribe, () => [...waiting.values()].at(-1) ?? null);
