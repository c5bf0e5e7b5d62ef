import { getNodeValue, type Node, parseTree } from "jsonc-parser";
import { decodeText } from "./decode.ts";
import type { Declared } from "./facts.ts";

/** Accepted names of the file that states the facts about a folder's documents. */
export const manifestNames = ["yaml", "yml", "json", "jsonl", "ndjson", "csv", "tsv"].map((ext) => `manifest.${ext}`);

/** What a manifest states about one file. */
export interface Entry {
  /** As written in the manifest: a path relative to the folder, or an id without an extension. */
  readonly file: string;
  readonly line: number;
  readonly facts: Declared;
}

/** An unreadable manifest. Nothing is imported until it is corrected. */
export class ManifestError extends Error {
  constructor(
    message: string,
    readonly line: number | null,
  ) {
    super(message);
    this.name = "ManifestError";
  }
}

/** A parsed record and its line. */
interface Found {
  readonly value: unknown;
  readonly line: number;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the entries of `{documents: […], defaults: {…}}`, of a list, or of `{file: facts}`. */
function listed(root: unknown): { values: unknown[]; defaults: Declared } {
  if (Array.isArray(root)) return { values: root, defaults: {} };
  if (!isRecord(root)) throw new ManifestError("it must contain a list of documents", 1);
  const { documents, defaults } = root;
  if (Array.isArray(documents)) return { values: documents, defaults: isRecord(defaults) ? defaults : {} };
  const values = Object.entries(root).map(([file, facts]) => (isRecord(facts) ? { file, ...facts } : facts));
  return { values, defaults: {} };
}

/** Returns a function that maps an offset to its line. Offsets must be ascending, so that the text is scanned once. */
function createLineCounter(text: string): (offset: number) => number {
  let [line, from] = [1, text.indexOf("\n")];
  return (offset) => {
    for (; from >= 0 && from < offset; from = text.indexOf("\n", from + 1)) line++;
    return line;
  };
}

function fromJson(text: string): { found: Found[]; defaults: Declared } {
  const errors: { error: number; offset: number; length: number }[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!tree || error) throw new ManifestError("it is not valid JSON", createLineCounter(text)(error?.offset ?? 0));
  const { values, defaults } = listed(getNodeValue(tree));
  const list = tree.type === "array" ? tree : tree.children?.find(isDocuments)?.children?.[1];
  const nodes: readonly Node[] = (list ?? tree).children ?? [];
  const lineAt = createLineCounter(text);
  return { found: values.map((value, i) => ({ value, line: lineAt(nodes[i]?.offset ?? 0) })), defaults };
}

const isDocuments = ({ children }: Node): boolean => children?.[0]?.value === "documents";

/** Number of lines searched for an entry's file name. A name not found within them is written in another form. */
const linesOfEntry = 1000;

function indexOfLine(lines: readonly string[], text: string, from: number): number {
  const found = lines.slice(from, from + linesOfEntry).findIndex((line) => line.includes(text));
  return found < 0 ? -1 : from + found;
}

function fromYaml(text: string): { found: Found[]; defaults: Declared } {
  let root: unknown;
  try {
    root = Bun.YAML.parse(text);
  } catch (error) {
    throw new ManifestError(`it is not valid YAML: ${error instanceof Error ? error.message : "unknown"}`, null);
  }
  const { values, defaults } = listed(root);
  // The parser reports no positions, so an entry's line is the first one after the previous entry that contains its
  // file name.
  const lines = text.split("\n");
  let at = 0;
  const found = values.map((value) => {
    const name = isRecord(value) ? nameOf(value) : undefined;
    const next = name === undefined ? -1 : indexOfLine(lines, name, at);
    if (next >= 0) at = next;
    const line = at + 1;
    if (next >= 0) at++;
    return { value, line };
  });
  return { found, defaults };
}

function fromLines(text: string): { found: Found[]; defaults: Declared } {
  const found = text.split(/\r?\n/).flatMap((line, i): Found[] => {
    if (line.trim() === "") return [];
    try {
      return [{ value: JSON.parse(line), line: i + 1 }];
    } catch {
      throw new ManifestError("this line is not valid JSON", i + 1);
    }
  });
  return { found, defaults: {} };
}

/** Parses CSV records (RFC 4180) into cells, with the line on which each record starts. */
export function csvRecords(text: string, separator: string): { cells: string[]; line: number }[] {
  const records: { cells: string[]; line: number }[] = [];
  let [line, begun, cell, quoted] = [1, 1, "", false];
  let cells: string[] = [];
  const end = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== "")) records.push({ cells, line: begun });
    [cells, cell] = [[], ""];
  };
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? "";
    if (sign === "\n") line++;
    if (quoted && sign === '"' && text[i + 1] === '"') cell += text[i++];
    else if (sign === '"' && (quoted || cell.trim() === "")) {
      quoted = !quoted;
      if (quoted) cell = "";
    } else if (quoted) cell += sign;
    else if (sign === separator) {
      cells.push(cell);
      cell = "";
    } else if (sign === "\n") {
      end();
      begun = line;
    } else if (sign !== "\r") cell += sign;
  }
  if (quoted) throw new ManifestError("a quotation mark is not closed", begun);
  end();
  return records;
}

function fromCsv(text: string, separator: string): { found: Found[]; defaults: Declared } {
  const [head, ...records] = csvRecords(text, separator);
  if (!head) throw new ManifestError("it is empty", 1);
  const names = head.cells.map((name) => name.trim());
  const twice = names.find((name, at) => name !== "" && names.indexOf(name) < at);
  if (twice !== undefined) throw new ManifestError(`two columns are named ${twice}`, head.line);
  const found = records.map(({ cells, line }) => {
    if (cells.length > names.length)
      throw new ManifestError(`it has ${cells.length} cells, but the header has ${names.length}`, line);
    return { value: Object.fromEntries(names.map((name, i) => [name, (cells[i] ?? "").trim()])), line };
  });
  return { found, defaults: {} };
}

const nameOf = (record: Record<string, unknown>): string | undefined => {
  const name = record.file ?? record.path ?? record.filename ?? record.id;
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
};

function parsed(name: string, text: string): { found: Found[]; defaults: Declared } {
  if (/\.ya?ml$/.test(name)) return fromYaml(text);
  if (/\.(jsonl|ndjson)$/.test(name)) return fromLines(text);
  if (name.endsWith(".json")) return fromJson(text);
  const [head = ""] = text.split("\n");
  const separator = name.endsWith(".tsv") || head.includes("\t") ? "\t" : head.includes(";") ? ";" : ",";
  return fromCsv(text, separator);
}

/** Parses a manifest. Throws `ManifestError` with the offending line. */
export function readManifest(name: string, bytes: Uint8Array): Entry[] {
  const { found, defaults } = parsed(name, decodeText(bytes));
  return found.map(({ value, line }) => {
    if (!isRecord(value)) throw new ManifestError("an entry must be an object with facts", line);
    const file = nameOf(value);
    if (file === undefined) throw new ManifestError("an entry has no file", line);
    return { file, line, facts: { ...defaults, ...value } };
  });
}
