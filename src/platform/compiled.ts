/** Returns whether this is the compiled executable, whose own files are in Bun's embedded file system. */
export const isCompiled = (): boolean => Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
