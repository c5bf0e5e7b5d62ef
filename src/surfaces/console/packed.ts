import type { Packed } from "./archive.ts";

/**
 * The console's bundle. The build replaces this file to embed it in the executable; undefined when running from source.
 */
export const packed: Packed | undefined = undefined;
