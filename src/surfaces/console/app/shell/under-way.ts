import { useSyncExternalStore } from "react";
import { createValue } from "../shared/signal.ts";

const fetched = createValue(0);

/** Counts what is fetched while somebody waits for it to show. */
export async function underWay<T>(fetching: Promise<T>): Promise<T> {
  fetched.set(fetched.get() + 1);
  try {
    return await fetching;
  } finally {
    fetched.set(fetched.get() - 1);
  }
}

/** Whether a page is on its way: the one before it stays until then, and on a slow network that takes a while. */
export const useIsUnderWay = (): boolean => useSyncExternalStore(fetched.subscribe, () => fetched.get() > 0);
