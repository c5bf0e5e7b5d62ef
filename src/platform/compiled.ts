/** Whether this is the compiled executable: its own files lie in a file system that Bun keeps inside it. */
export const isCompiled = (): boolean => Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
