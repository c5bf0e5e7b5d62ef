import { copyDatabase } from "./backup.ts";

/** The worker thread that copies a database while the server runs. One is started per copy. */

declare const self: Worker;

/** The only message to the thread. */
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
