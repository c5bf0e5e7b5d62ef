import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { assert, present } from "../../platform/assert.ts";
import { sha256 } from "../../platform/ids.ts";
import { type BundledFile, type Contents, pack } from "./archive.ts";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/**
 * Entry points in loading order: the first requests, the libraries, the console. Each is evaluated separately, so that
 * a slow phone can respond in between.
 */
const entries = ["ahead.ts", "libraries.ts", "main.tsx"].map((name) => join(import.meta.dir, "app", name));

/**
 * A string rather than an import, so that the executable, which never bundles, does not include the library that the
 * module needs.
 */
const themeModule = join(import.meta.dir, "app", "shell", "theme-styles.ts");

interface ThemeModule {
  themeStyles(): string;
}

/** Fills in the style sheet that is generated from the theme. */
const themeSheet: Bun.BunPlugin = {
  name: "theme",
  setup(build) {
    build.onLoad({ filter: /shell[\\/]theme\.css$/ }, async () => {
      const { themeStyles }: ThemeModule = await import(themeModule);
      return { contents: themeStyles(), loader: "css" };
    });
  },
};

export interface Bundle {
  readonly contents: Contents;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bun's metadata about the bundled modules, for the list of licences. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

async function encoded(artifact: Bun.BuildArtifact, effort: "least" | "most"): Promise<BundledFile> {
  const plain = new Uint8Array(await artifact.arrayBuffer());
  const quality = effort === "most" ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MIN_QUALITY + 4;
  const [br, gz] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    deflate(plain, { level: effort === "most" ? 9 : 6 }),
  ]);
  return {
    name: artifact.path.replace(/^.*[\\/]/, ""),
    type: artifact.path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    etag: `"${sha256(plain).toString("base64url").slice(0, 22)}"`,
    encoded: { br, gzip: gz },
  };
}

const nameIn = (path: string): string => path.replace(/^.*[\\/]/, "");

/**
 * Returns the files that the scripts import statically, which a browser would otherwise discover only while parsing the
 * importing file.
 */
function importedBy(scripts: readonly string[], outputs: Bun.BuildMetafile["outputs"]): string[] {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [nameIn(path), output.imports]));
  const found = new Set(scripts);
  for (const name of found)
    for (const { path, kind } of imports.get(name) ?? []) if (kind === "import-statement") found.add(nameIn(path));
  return [...found].filter((name) => !scripts.includes(name));
}

/**
 * Bundles the console with Bun's bundler: once in the build, or at the first request when running from source. `effort`
 * selects how hard to compress.
 */
export async function bundleConsole(effort: "least" | "most"): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: entries,
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    metafile: true,
    // Imported only by a test helper of the schema-form library.
    external: ["@rjsf/validator-ajv8"],
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    plugins: [themeSheet],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const kept = built.outputs.filter(({ kind }) => kind !== "sourcemap");
  const files = await Promise.all(kept.map((artifact) => encoded(artifact, effort)));
  assert(new Set(files.map(({ name }) => name)).size === files.length, "every file has a name of its own");
  const nameOf = (found: (artifact: Bun.BuildArtifact) => boolean): string[] =>
    files.filter((_, i) => found(present(kept[i], "the file's artifact"))).map(({ name }) => name);
  const started = nameOf(({ kind }) => kind === "entry-point");
  const scripts = entries.map((path) => {
    const stem = path.replace(/^.*[\\/]|\.tsx?$/g, "");
    return present(
      started.find((name) => name.startsWith(`${stem}-`)),
      "the entry's script",
    );
  });
  const styles = nameOf(({ path }) => /(^|[\\/])main-[^\\/]*\.css$/.test(path));
  const packed = pack(files);
  const preloads = importedBy(scripts, built.metafile?.outputs ?? {});
  const contents = { scripts, preloads, styles, files: packed.files };
  return { contents, bytes: packed.bytes, inputs: built.metafile?.inputs ?? {} };
}
