import type { Packed } from "./archive.ts";

/** The console as the build put it into the executable, which replaces this file; from source there is none. */
export const packed: Packed | undefined = undefined;
