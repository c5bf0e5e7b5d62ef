/** A thread that ends at the first list of payloads. */
export {};

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (typeof data === "string") process.exit(1);
};
