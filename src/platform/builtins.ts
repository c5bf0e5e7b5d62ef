import { once } from "./once.ts";

/**
 * Node modules that take one to three milliseconds each to load. They load on first use, because an import would load
 * them at every start. Async functions import such a module where they need it.
 */
export const net = once(() => process.getBuiltinModule("node:net"));
export const zlib = once(() => process.getBuiltinModule("node:zlib"));
