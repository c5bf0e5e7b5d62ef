import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { assert, present } from "../../platform/assert.ts";
import { sha256 } from "../../platform/ids.ts";
import { type BundledFile, type Contents, pack } from "./archive.ts";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** What the browser starts with. */
const entry = join(import.meta.dir, "app", "main.tsx");

export interface Bundle {
  readonly contents: Contents;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What Bun says of the modules inside, for the list of licences. */
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

/** The files that one can't start without, and that a browser finds out of only when it reads what imports them. */
function importedBy(script: string, outputs: Bun.BuildMetafile["outputs"]): string[] {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [nameIn(path), output.imports]));
  const found = new Set([script]);
  for (const name of found)
    for (const { path, kind } of imports.get(name) ?? []) if (kind === "import-statement") found.add(nameIn(path));
  found.delete(script);
  return [...found];
}

/**
 * Makes the browser's program, with Bun's own bundler: by the build, once, or where the server runs from source, at the
 * first request. `effort`: how long to look for fewer bytes.
 */
export async function bundleConsole(effort: "least" | "most"): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    metafile: true,
    // Only a helper for tests of the schema-form library wants it, which is left out.
    external: ["@rjsf/validator-ajv8"],
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const kept = built.outputs.filter(({ kind }) => kind !== "sourcemap");
  const files = await Promise.all(kept.map((artifact) => encoded(artifact, effort)));
  assert(new Set(files.map(({ name }) => name)).size === files.length, "every file has a name of its own");
  const nameOf = (found: (artifact: Bun.BuildArtifact) => boolean): string[] =>
    files.filter((_, i) => found(present(kept[i], "the file's artifact"))).map(({ name }) => name);
  const [script] = nameOf(({ kind }) => kind === "entry-point");
  const styles = nameOf(({ path }) => /(^|[\\/])main-[^\\/]*\.css$/.test(path));
  const packed = pack(files);
  const entryScript = present(script, "the entry's script");
  const preloads = importedBy(entryScript, built.metafile?.outputs ?? {});
  const contents = { script: entryScript, preloads, styles, files: packed.files };
  return { contents, bytes: packed.bytes, inputs: built.metafile?.inputs ?? {} };
}
