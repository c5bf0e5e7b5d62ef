import { once } from "./once.ts";

/**
 * Parts of the runtime that take one to three milliseconds each to load, by those who may need them late or never: an
 * import would load them at every start of the program. Functions that wait anyway import such a part where they use it.
 */
export const net = once(() => process.getBuiltinModule("node:net"));
export const zlib = once(() => process.getBuiltinModule("node:zlib"));
