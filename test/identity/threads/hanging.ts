/** A thread that takes everything and never answers. */
export {};

declare const self: Worker;

self.onmessage = () => {};
