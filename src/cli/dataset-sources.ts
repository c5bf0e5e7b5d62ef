import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ManifestError } from "../products/connectors/yaml.ts";
import type { ImportSource } from "../products/datasets/importer.ts";
import { type Mapping, readMapping } from "../products/datasets/mapping.ts";
import { readGiven, statGiven, unreadable } from "./file-trouble.ts";
import { CommandError, decoded } from "./io.ts";

/** A mapping lies beside its file under this name, unless --mapping names another. */
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

/** The SHA-256 of a file, read in pieces. */
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
 * All files below a folder but mappings, notes and hidden ones, in the order of their names. Exit 1 for what is neither a
 * file nor a folder: a link to a folder may lead round in a circle, and nothing is left out without a word.
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
      "Links to folders are not followed: name them.",
    );
  });
}

/** Files to import: one, or all below a folder. Exit 2 for what can't be read. */
export async function datasetSources(path: string, mapping: string | undefined): Promise<ImportSource[]> {
  const isFolder = statGiven(path).isDirectory();
  if (isFolder && mapping !== undefined)
    throw new CommandError(
      2,
      "--mapping is for one file",
      "In a folder, a mapping lies beside its file: data.csv.mapping.yaml.",
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
