#!/usr/bin/env bun
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemRuntime } from "./src/platform/runtime.ts";
import { threadFiles } from "./src/platform/threads.ts";
import { type Bundle, bundleConsole } from "./src/surfaces/console/bundle.ts";

/**
 * `bun run build`: builds one executable in `dist/`, for this machine or for each `--target bun-linux-arm64 …`, with
 * its SHA-256 and the licences of everything inside. `--without-models` leaves out the meaning models and their
 * runtime, about 53 MB; the program then reports that it has none, and compares texts by their words alone.
 * The bytecode is laid out by a start profile, which is recorded first, in `dist/start.order`. `--start FILE` uses an
 * earlier one, with which the same sources give the same bytes.
 */

const root = import.meta.dir;
const dist = join(root, "dist");

/** The part of Bun's metafile that is used here. */
interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The console's files, which the executable holds as one file and reads on request. */
const archive = join(dist, "console.archive");

/** The part of a package's manifest that is used here. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

interface Build {
  readonly file: string;
  readonly metafile: Metafile;
}

/** An executable to compile. */
interface Wanted {
  readonly file: string;
  /** Such as `bun-linux-arm64`. Absent: this machine. */
  readonly target?: string | undefined;
  /** The console's files. */
  readonly pages: Bundle["contents"];
  /** The profile written by `recordStart`. Absent: the bytecode is in the order of the code. */
  readonly start?: string | undefined;
}

/**
 * Factor by which more calls are needed before a function of the main thread is compiled to machine code: a command or
 * a start runs most of its functions once. Does not affect worker threads.
 */
const jitPolicy = 8;

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Returns `assay` for this machine, `assay-linux-arm64` for another. */
function fileName(target: string | undefined): string {
  if (target === undefined) return process.platform === "win32" ? "assay.exe" : "assay";
  return `assay-${target.replace(/^bun-/, "")}${target.includes("windows") ? ".exe" : ""}`;
}

/** Replaces the module that names the weights by one that has none. */
const withoutModels: Bun.BunPlugin = {
  name: "without-models",
  setup(build) {
    build.onLoad({ filter: /knowledge\/meaning\/weights\.ts$/ }, () => ({
      contents: "export const weightFiles = null;",
      loader: "ts",
    }));
  },
};

/**
 * Compiles for one target. The flags affect correctness: only white space may be minified, because Elysia distinguishes
 * its values by their class names; with shortened names it accepts a query above its maximum. Bytecode halves the
 * start, and splitting leaves late imports on disk until they are needed. The executable reads no `.env` or
 * `bunfig.toml` of the folder it is started in.
 */
async function compile({ file, target, pages, start }: Wanted): Promise<Build> {
  const result = await Bun.build({
    // The code of a worker thread is a program of its own. The executable starts the first one.
    entrypoints: ["src/main.ts", ...Object.values(threadFiles)].map((file) => join(root, file)),
    // Worker threads are found relative to this in the executable.
    root,
    files: { [join(root, "src/surfaces/console/packed.ts")]: packedModule(pages) },
    target: "bun",
    format: "esm",
    bytecode: true,
    splitting: true,
    minify: { whitespace: true, identifiers: false, syntax: false },
    // Avoids the development builds of packages.
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    plugins: values["without-models"] ? [withoutModels] : [],
    throw: false,
    compile: {
      outfile: file,
      autoloadDotenv: false,
      autoloadBunfig: false,
      jitPolicy,
      ...(start !== undefined && { bytecodeOrder: start }),
      ...(target !== undefined && { target: target as Bun.Build.CompileTarget }),
    },
  });
  for (const log of result.logs) console.error(String(log));
  if (!result.success || result.metafile === undefined) throw new Error(`${file} could not be built`);
  chmodSync(file, 0o755);
  return { file, metafile: result.metafile };
}

/** Sends one request to a local server, over a plain socket, because `fetch` would use a proxy from the environment. */
function askOnce(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () =>
    socket.end("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"),
  );
  socket
    .on("error", reject)
    .on("close", () => resolve())
    .resume();
  return promise;
}

/** Serves a demo until it has answered a request. */
async function serveOnce(executable: string, folder: string, env: Record<string, string>): Promise<void> {
  const server = Bun.spawn([executable, "serve", "--demo", "--port", "0", "--data", join(folder, "data")], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env,
  });
  let said = "";
  let port: number | undefined;
  try {
    for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (port !== undefined) continue;
      const [, listening] = /listening on http:\/\/127\.0\.0\.1:(\d+)"/.exec(said) ?? [];
      if (listening === undefined) continue;
      port = Number(listening);
      await askOnce(port);
      server.kill("SIGTERM");
    }
  } catch (error) {
    // Leave no process behind when the build fails.
    server.kill("SIGKILL");
    throw error;
  }
  if ((await server.exited) !== 0) throw new Error(`the executable could not be started: ${said}`);
}

/** The profile of a start, kept with the result because no two starts are quite alike. */
const recorded = join(dist, "start.order");

/**
 * Records the functions that a start and its first answer use, in order. In this order, the executable starts from few
 * of its pages, and few stay in memory. The profile of this machine is used for every target.
 */
async function recordStart(pages: Bundle["contents"], folder: string): Promise<void> {
  const recorder = join(folder, fileName(undefined));
  await compile({ file: recorder, pages });
  // The first start creates the demo data, which later starts do not.
  await serveOnce(recorder, folder, {});
  await serveOnce(recorder, folder, { BUN_BYTECODE_ORDER_OUT: recorded });
}

/** Returns the module that lists the console's files, which replaces the empty one. */
const packedModule = (contents: Bundle["contents"]): string =>
  `import path from ${JSON.stringify(archive)} with { type: "file" };
export const packed = { ...${JSON.stringify(contents)}, path };
`;

/** Writes a file for `sha256sum --check`. */
function writeChecksum(file: string): void {
  const digest = new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
  writeFileSync(`${file}.sha256`, `${digest}  ${file.slice(dist.length + 1)}\n`);
}

/** Returns the folders of the packages whose modules are in a bundle. */
function packageFolders({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)].sort();
}

/** Returns a package's name, version and licence, with the texts that must accompany copies of it. */
function licenceOf(folder: string): string {
  const path = join(root, folder);
  const manifest: Manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const { name, version, license = "see its text" } = manifest;
  const texts = readdirSync(path).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(path, file), "utf8"))].join(
    "\n\n",
  );
}

/** Licence texts that no package includes, by the bundled file that they apply to. */
const furtherLicences = {
  "node_modules/jq-wasm/dist/build/jq.js": "src/cli/jq.LICENSE",
  "src/knowledge/meaning/weights/words.bin.zst": "src/knowledge/meaning/weights/LICENSE",
};

/** Returns the licence texts of those files that are in one of these bundles. */
function furtherTexts(metafiles: readonly Metafile[]): string[] {
  const bundled = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  return Object.entries(furtherLicences)
    .filter(([file]) => bundled.some((path) => path.endsWith(file)))
    .map(([, text]) => readFileSync(join(root, text), "utf8"));
}

/** Writes the licences of everything that was bundled, including Bun. */
function writeLicences(builds: readonly Build[], pages: Metafile): void {
  const metafiles = [...builds.map(({ metafile }) => metafile), pages];
  const folders = [...new Set(metafiles.flatMap(packageFolders))].sort();
  const own = `Assay\n\n${readFileSync(join(root, "LICENSE"), "utf8")}`;
  const runtime = `Bun ${Bun.version} (MIT; parts under other licences, listed at https://bun.com/docs/project/licensing)`;
  const rule = `\n\n${"=".repeat(80)}\n\n`;
  writeFileSync(
    join(dist, "LICENSES.txt"),
    [own, runtime, ...furtherTexts(metafiles), ...folders.map(licenceOf)].join(rule),
  );
}

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    "without-models": { type: "boolean", default: false },
    start: { type: "string" },
  },
});
if (!existsSync(join(root, "node_modules"))) throw new Error("run `bun install --frozen-lockfile` first");
mkdirSync(dist, { recursive: true });
const consoleBundle = await bundleConsole("most");
writeFileSync(archive, consoleBundle.bytes);
const { contents: pages } = consoleBundle;
// In `dist`, as it is just as large. Removes what an interrupted build left.
const scratch = join(dist, "recording");
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch);
const builds: Build[] = [];
try {
  // On Windows a signal ends a process before it has recorded anything.
  const isRecorded = values.start === undefined && process.platform !== "win32";
  if (isRecorded) await recordStart(pages, scratch);
  const start = isRecorded ? recorded : values.start;
  for (const target of values.target ?? [undefined]) {
    const started = systemRuntime.elapsed();
    const build = await compile({ file: join(dist, fileName(target)), target, pages, start });
    writeChecksum(build.file);
    const seconds = ((systemRuntime.elapsed() - started) / 1000).toFixed(1);
    console.log(`dist/${fileName(target)}  ${mebibytes(statSync(build.file).size)}  in ${seconds} s`);
    builds.push(build);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
writeLicences(builds, consoleBundle);
