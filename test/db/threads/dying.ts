export {};

/** A writer thread that exits at its first message. */
declare const self: Worker;
self.onmessage = () => process.exit(1);
