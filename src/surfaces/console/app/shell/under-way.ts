import { useSyncExternalStore } from "react";
import { createValue } from "../shared/signal.ts";

const fetched = createValue(0);

/** Counts loads that the person is waiting for. */
export async function underWay<T>(fetching: Promise<T>): Promise<T> {
  fetched.set(fetched.get() + 1);
  try {
    return await fetching;
  } finally {
    fetched.set(fetched.get() - 1);
  }
}

/** Whether a page is loading. The previous page stays visible, which takes a while on a slow network. */
export const useIsUnderWay = (): boolean => useSyncExternalStore(fetched.subscribe, () => fetched.get() > 0);
