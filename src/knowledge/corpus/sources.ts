import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type RefusalCode, Refused } from "./blocks.ts";
import { fileBytesAtMost, formatOf } from "./extract.ts";
import type { Declared } from "./facts.ts";
import { type Entry, ManifestError, manifestNames, readManifest } from "./manifest.ts";

/** A file to import, with what a manifest says of it. */
export interface Source {
  /** As the report calls it: its path inside the folder. */
  readonly file: string;
  /** The manifest and its line that name it; null: none does. */
  readonly manifest: { readonly name: string; readonly line: number } | null;
  readonly facts: Declared;
  /** Of its bytes, in hexadecimal, where that is known already. */
  readonly content_sha256?: string;
  /** Its bytes. Throws `Refused`. */
  read(): Promise<Uint8Array>;
}

/** A file that is refused before it is read. */
const refusing = (source: Omit<Source, "read">, code: RefusalCode): Source => ({
  ...source,
  read: () => Promise.reject(new Refused(code)),
});

async function readBounded(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (file.size > fileBytesAtMost) throw new Refused("too_large", `it has more than ${fileBytesAtMost / 2 ** 20} MiB`);
  try {
    return await file.bytes();
  } catch {
    // The system's listing puts this sign in place of bytes that are no UTF-8: the file that it names is not there.
    if (path.includes("\ufffd"))
      throw new Refused("broken", "it can't be opened: its name is not UTF-8, so give it another name");
    throw new Refused("broken", "it can't be opened: look at its permissions");
  }
}

interface Walked {
  /** Absolute. */
  readonly files: string[];
  readonly manifests: string[];
}

/** All visible files below the folder, in the order of their names. Links are followed when they are read. */
function walk(folder: string, walked: Walked): Walked {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const manifests = entries.filter((entry) => entry.isFile() && manifestNames.includes(entry.name.toLowerCase()));
  const [first, second] = manifests;
  if (first && second)
    throw new ManifestError(`${folder} has two manifests, ${first.name} and ${second.name}: which one counts?`, null);
  if (first) walked.manifests.push(join(folder, first.name));
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry === first) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, walked);
    else walked.files.push(path);
  }
  return walked;
}

/** The file that an entry means: a path, or an id for the one file of that name. */
function meant(manifest: string, { file }: Entry, files: ReadonlySet<string>): string {
  const folder = dirname(manifest);
  const path = resolve(folder, file);
  if (files.has(path) || formatOf(file) !== undefined) return path;
  return [...files].find((one) => dirname(one) === folder && basename(one).replace(/\.[^.]+$/, "") === file) ?? path;
}

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/** What a folder's manifests name, by the file; a file that is named twice is refused at its second place. */
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
  // A link is as good as its file as long as that is inside: a folder from elsewhere must not fetch the machine's own.
  const target = existsSync(path) ? realpathSync(path) : path;
  if (!isInside(real, target)) return refusing(source, "outside");
  // A pipe or a device would never end.
  if (existsSync(target) && !statSync(target).isFile()) return refusing(source, "unsupported");
  return { ...source, read: () => readBounded(path) };
}

/** The files to import: a folder's with its manifests, or one file with the manifest beside it. Throws `ManifestError`. */
export function sourcesAt(path: string): Source[] {
  const given = resolve(path);
  // The path of a manifest means the files that it names.
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
  // Of one file its neighbours' entries are no concern.
  return single ? found : [...found, ...again];
}
