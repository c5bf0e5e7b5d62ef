/** A thread that answers each list of payloads with what is no list of their tokens. */
export {};

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (typeof data === "string") postMessage("no tokens");
};
