import { type Contents, read, type Served } from "./archive.ts";

/** The browser's program, as it is served. */
export interface Program {
  contents(): Promise<Contents>;
  /** A file in the smallest form that the caller takes; undefined: there is none of this name. */
  file(name: string, acceptEncoding: string | null): Promise<Served | undefined>;
}

interface Opened {
  readonly contents: Contents;
  readonly archive: Blob;
}

/** Out of the executable, or from source made now. */
async function open(): Promise<Opened> {
  const { packed } = await import("./packed.ts");
  if (packed) return { contents: packed, archive: Bun.file(packed.path) };
  const { bundleConsole } = await import("./bundle.ts");
  const { contents, bytes } = await bundleConsole("least");
  return { contents, archive: new Blob([bytes]) };
}

/** Makes it, for the routes. Nothing is read or bundled before somebody asks. */
export function createProgram(): Program {
  let opened: Promise<Opened> | undefined;
  const get = (): Promise<Opened> => {
    opened ??= open();
    // What failed is tried again for the next one.
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
