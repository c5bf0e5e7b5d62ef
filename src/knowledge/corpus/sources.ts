import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type RefusalCode, Refused } from "./blocks.ts";
import { fileBytesAtMost, formatOf } from "./extract.ts";
import type { Declared } from "./facts.ts";
import { type Entry, ManifestError, manifestNames, readManifest } from "./manifest.ts";

/** A file to import, with the facts that a manifest states about it. */
export interface Source {
  /** Its name in the report: the path relative to the folder. */
  readonly file: string;
  /** The manifest and line that list it; null if none does. */
  readonly manifest: { readonly name: string; readonly line: number } | null;
  readonly facts: Declared;
  /** SHA-256 of its content in hexadecimal, if already known. */
  readonly content_sha256?: string;
  /** Reads its bytes. Throws `Refused`. */
  read(): Promise<Uint8Array>;
}

/** Returns a source that is refused before it is read. */
const refusing = (source: Omit<Source, "read">, code: RefusalCode): Source => ({
  ...source,
  read: () => Promise.reject(new Refused(code)),
});

async function readBounded(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (file.size > fileBytesAtMost) throw new Refused("too_large", `it is larger than ${fileBytesAtMost / 2 ** 20} MiB`);
  try {
    return await file.bytes();
  } catch {
    // The directory listing replaces bytes that are not UTF-8 with U+FFFD, so the resulting path does not exist.
    if (path.includes("\ufffd"))
      throw new Refused("broken", "it can't be opened, because its name is not UTF-8: rename it");
    throw new Refused("broken", "it can't be opened: check its permissions");
  }
}

interface Walked {
  /** Absolute paths. */
  readonly files: string[];
  readonly manifests: string[];
}

/** Adds all visible files below the folder, sorted by name. Links are followed when the files are read. */
function walk(folder: string, walked: Walked): Walked {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const manifests = entries.filter((entry) => entry.isFile() && manifestNames.includes(entry.name.toLowerCase()));
  const [first, second] = manifests;
  if (first && second)
    throw new ManifestError(`${folder} has two manifests, ${first.name} and ${second.name}: keep only one`, null);
  if (first) walked.manifests.push(join(folder, first.name));
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry === first) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, walked);
    else walked.files.push(path);
  }
  return walked;
}

/** Resolves an entry to its file: by path, or by an id that equals the base name of one file. */
function meant(manifest: string, { file }: Entry, files: ReadonlySet<string>): string {
  const folder = dirname(manifest);
  const path = resolve(folder, file);
  if (files.has(path) || formatOf(file) !== undefined) return path;
  return [...files].find((one) => dirname(one) === folder && basename(one).replace(/\.[^.]+$/, "") === file) ?? path;
}

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/** Maps files to their manifest entries. A file that is listed twice is refused at its second entry. */
function entriesOf(manifests: readonly string[], files: ReadonlySet<string>, root: string) {
  const named = new Map<string, Source["manifest"] & { facts: Declared }>();
  const again: Source[] = [];
  for (const manifest of manifests) {
    const name = relative(root, manifest);
    for (const entry of readManifest(basename(manifest).toLowerCase(), readFileSync(manifest))) {
      const path = meant(manifest, entry, files);
      const place = { name, line: entry.line };
      const file = relative(root, path);
      const source = { file: isInside(root, path) ? file : entry.file, manifest: place, facts: entry.facts };
      if (named.has(path)) again.push(refusing(source, "duplicate"));
      else if (!isInside(root, path)) again.push(refusing(source, "outside"));
      else if (!files.has(path) && !existsSync(path)) again.push(refusing(source, "missing"));
      else named.set(path, { ...place, facts: entry.facts });
    }
  }
  return { named, again };
}

function sourceOf(
  path: string,
  root: string,
  real: string,
  entry: (Source["manifest"] & { facts: Declared }) | undefined,
): Source {
  const source = {
    file: relative(root, path),
    manifest: entry ? { name: entry.name, line: entry.line } : null,
    facts: entry?.facts ?? {},
  };
  if (formatOf(path) === undefined) return refusing(source, "unsupported");
  // A link is accepted if its target is inside the folder: an untrusted folder must not read other files of the
  // machine.
  const target = existsSync(path) ? realpathSync(path) : path;
  if (!isInside(real, target)) return refusing(source, "outside");
  // Reading a pipe or a device would never end.
  if (existsSync(target) && !statSync(target).isFile()) return refusing(source, "unsupported");
  return { ...source, read: () => readBounded(path) };
}

/** Returns the files to import: a folder's, or one file with the manifest next to it. Throws `ManifestError`. */
export function sourcesAt(path: string): Source[] {
  const given = resolve(path);
  // The path of a manifest stands for the files that it lists.
  const whole = manifestNames.includes(basename(given).toLowerCase()) ? dirname(given) : given;
  const single = !statSync(whole).isDirectory();
  const root = single ? dirname(whole) : whole;
  const beside = () => manifestNames.map((name) => join(root, name)).filter((name) => existsSync(name));
  const { files, manifests } = single
    ? { files: [whole], manifests: beside() }
    : walk(root, { files: [], manifests: [] });
  const { named, again } = entriesOf(manifests, new Set(files), root);
  const real = realpathSync(root);
  const found = files.map((file) => sourceOf(file, root, real, named.get(file)));
  // For a single file, errors in other entries are ignored.
  return single ? found : [...found, ...again];
}
