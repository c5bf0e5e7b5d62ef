import { copyDatabase } from "./backup.ts";

/** The thread that copies a database while the server goes on. Started for one copy each. */

declare const self: Worker;

/** What the thread is asked, once. */
export interface ToCopy {
  readonly database: string;
  readonly target: string;
}

export type FromCopy = { readonly done: true } | { readonly failed: string };

self.onmessage = ({ data: { database, target } }: MessageEvent<ToCopy>) => {
  const post = (message: FromCopy) => postMessage(message);
  try {
    copyDatabase(database, target);
    post({ done: true });
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
};
