import { type Contents, read, type Served } from "./archive.ts";

/** The console's browser bundle, as served. */
export interface Program {
  contents(): Promise<Contents>;
  /** Returns a file in the smallest encoding that the client accepts; undefined if there is no file of that name. */
  file(name: string, acceptEncoding: string | null): Promise<Served | undefined>;
}

interface Opened {
  readonly contents: Contents;
  readonly archive: Blob;
}

/** Opens the embedded bundle or, when running from source, builds one. */
async function open(): Promise<Opened> {
  const { packed } = await import("./packed.ts");
  if (packed) return { contents: packed, archive: Bun.file(packed.path) };
  const { bundleConsole } = await import("./bundle.ts");
  const { contents, bytes } = await bundleConsole("least");
  return { contents, archive: new Blob([bytes]) };
}

/** Creates the program for the routes. Nothing is read or bundled before the first request. */
export function createProgram(): Program {
  let opened: Promise<Opened> | undefined;
  const get = (): Promise<Opened> => {
    opened ??= open();
    // After a failure, the next request tries again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    contents: async () => (await get()).contents,
    async file(name, acceptEncoding) {
      const { contents, archive } = await get();
      return read(contents, archive, name, acceptEncoding);
    },
  };
}
