export {};

/** A writing thread whose disk hangs: it takes every message and answers none. */
declare const self: Worker;
self.onmessage = () => undefined;
