export {};

/** A writer thread whose disk hangs: it accepts every message and answers none. */
declare const self: Worker;
self.onmessage = () => undefined;
