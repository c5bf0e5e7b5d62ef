/** A thread that takes everything and never answers. */
declare const self: Worker;

self.onmessage = () => {};
