export {};

/** A writing thread that ends at its first message. */
declare const self: Worker;
self.onmessage = () => process.exit(1);
