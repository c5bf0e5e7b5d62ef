import type { NotificationData } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { createValue } from "./signal.ts";

const wanted = createValue(false);

async function show(notification: NotificationData): Promise<void> {
  wanted.set(true);
  const { notifications } = await import("@mantine/notifications");
  notifications.show({ withBorder: true, ...notification });
}

/** Says for a moment, at the edge of the page, what has happened: for what shows nowhere else on it. */
export const toast = {
  done: (message: string): void => void show({ message, color: "green" }),
  failed: (message: string): void => void show({ message, color: "red", autoClose: 8000 }),
} as const;

/** Whether anything was said yet: what shows it is fetched only then. */
export const useHasToasts = (): boolean => useSyncExternalStore(wanted.subscribe, wanted.get);
