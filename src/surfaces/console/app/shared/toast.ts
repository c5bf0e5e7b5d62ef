import type { NotificationData } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { createValue } from "./signal.ts";

const wanted = createValue(false);

async function show(notification: NotificationData): Promise<void> {
  wanted.set(true);
  const { notifications } = await import("@mantine/notifications");
  notifications.show({ withBorder: true, ...notification });
}

/** Shows a message for a moment at the edge of the page, for results that are not visible elsewhere on it. */
export const toast = {
  done: (message: string): void => void show({ message, color: "green" }),
  failed: (message: string): void => void show({ message, color: "red", autoClose: 8000 }),
} as const;

/** Whether there was any message yet: the component that shows them is loaded only then. */
export const useHasToasts = (): boolean => useSyncExternalStore(wanted.subscribe, wanted.get);
