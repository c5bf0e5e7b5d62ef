import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ManifestError } from "../products/connectors/yaml.ts";
import type { ImportSource } from "../products/datasets/importer.ts";
import { type Mapping, readMapping } from "../products/datasets/mapping.ts";
import { readGiven, statGiven, unreadable } from "./file-trouble.ts";
import { CommandError, decoded } from "./io.ts";

/** Returns the name of a file's mapping, which is next to the file unless `--mapping` names another. */
const beside = (file: string): string => `${file}.mapping.yaml`;

function mappingIn(file: string): Mapping {
  if (statGiven(file).size > 1 << 20) throw new CommandError(1, `${file} is too large for a mapping`);
  try {
    return readMapping(decoded(readGiven(file), file));
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const [first = "", ...more] = error.lines;
    throw new CommandError(
      1,
      `${file}: ${[first, ...more].join("; ")}`,
      "Nothing was imported. See the guide: datasets.",
    );
  }
}

/** Returns the SHA-256 of a file, read in chunks. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  } catch (error) {
    throw unreadable(error, file);
  }
  return hash.digest("hex");
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(error, folder);
  }
}

/**
 * Returns all files below a folder, sorted by name, except mappings, notes and hidden files. Throws exit 1 for anything
 * else: a link to a folder could form a loop, and nothing is skipped silently.
 */
function filesBelow(folder: string): string[] {
  const entries = entriesOf(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(path);
    if (/\.(ya?ml|md)$/.test(entry.name)) return [];
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return [path];
    throw new CommandError(
      1,
      `${path} is neither a file nor a folder`,
      "Links to folders are not followed: name the folder itself.",
    );
  });
}

/** Returns the files to import: the given one, or all below a folder. Throws exit 2 if one can't be read. */
export async function datasetSources(path: string, mapping: string | undefined): Promise<ImportSource[]> {
  const isFolder = statGiven(path).isDirectory();
  if (isFolder && mapping !== undefined)
    throw new CommandError(
      2,
      "--mapping is for one file",
      "In a folder, put a mapping next to its file: data.csv.mapping.yaml.",
    );
  const files = isFolder ? filesBelow(path) : [path];
  if (files.length === 0) throw new CommandError(1, `there is nothing to import in ${path}`);
  return Promise.all(
    files.map(async (file) => {
      const said = mapping ?? (existsSync(beside(file)) ? beside(file) : undefined);
      return { file, mapping: said === undefined ? {} : mappingIn(said), sha256: await digestOf(file) };
    }),
  );
}
