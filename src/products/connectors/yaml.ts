import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { Detail } from "../../platform/errors.ts";

/** The errors in a manifest, one line each, for the operator who wrote it. */
export class ManifestError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ManifestError";
  }
}

/** Limits that no readable manifest comes near. They apply to the text and to its value with aliases resolved. */
const maxCharacters = 262_144;
const maxNodes = 20_000;
const maxAliases = 100;

/** A manifest's value, with a way to locate its parts in the text. */
export interface ParsedManifest {
  readonly value: unknown;
  /** Returns the details with their line numbers, in line order. */
  located(details: readonly Detail[]): ManifestError;
}

/** Returns the library's error code in words. Its messages quote the text, which may contain a secret. */
const wordsOf = (code: string): string => code.toLowerCase().replaceAll("_", " ");

/** Returns a key's name. The parser rejects keys that are not text. */
const nameOf = (key: unknown): unknown => (isScalar(key) ? key.value : undefined);

/** Returns the offsets of duplicate keys. Uses a set, since the parser compares keys pairwise. */
function repeatedKeys({ items }: YAMLMap): number[] {
  const names = new Set<unknown>();
  return items.flatMap(({ key }) => {
    const isRepeated = names.has(nameOf(key));
    names.add(nameOf(key));
    return isRepeated && isNode(key) ? [key.range?.[0] ?? 0] : [];
  });
}

/**
 * Yields every node of the document, without resolving aliases. The library's own `visit` takes quadratic time in the
 * depth.
 */
function* nodesOf(document: Document): Generator<Node> {
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isNode(node)) continue;
    yield node;
    if (isSeq(node)) for (const item of node.items) waiting.push(item);
    if (isMap(node)) for (const { value } of node.items) waiting.push(value);
  }
}

/** Yields errors that the parser does not report: excessive sizes and duplicate keys. */
function* excesses(document: Document): Generator<{ at: number; message: string }> {
  const repeated: number[] = [];
  let nodes = 0;
  let aliases = 0;
  for (const node of nodesOf(document)) {
    nodes++;
    if (isAlias(node)) aliases++;
    if (isMap(node)) repeated.push(...repeatedKeys(node));
  }
  if (nodes > maxNodes) yield { at: 0, message: `it has more than ${maxNodes} values` };
  if (aliases > maxAliases) yield { at: 0, message: `it has more than ${maxAliases} aliases` };
  for (const at of repeated.sort((a, b) => a - b)) yield { at, message: "duplicate key" };
}

/**
 * Returns the value with its aliases resolved. An alias is free for the parser but has its full size for every later
 * reader.
 */
function resolved(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    if ((JSON.stringify(value) ?? "").length <= maxCharacters) return value;
  } catch {
    // A recursive alias never ends, and nested ones multiply.
  }
  throw new ManifestError([`with its aliases resolved it is infinite or has more than ${maxCharacters} characters`]);
}

/** Returns the offset of a path in the text: of its key or item, or of the nearest enclosing one. */
function offsetOf(document: Document, path: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const segment of path.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const inside = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(inside) ? inside.items.find(({ key }) => nameOf(key) === name) : undefined;
    const found = isSeq(inside) ? inside.items[Number(name)] : pair?.key;
    if (!isNode(found)) break;
    offset = found.range?.[0] ?? offset;
    node = pair ? pair.value : found;
  }
  return offset;
}

/** Parses a manifest's text. Throws `ManifestError` if it is invalid YAML or too large. */
export function parseManifest(text: string): ParsedManifest {
  if (text.length > maxCharacters) throw new ManifestError([`it has more than ${maxCharacters} characters`]);
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => Math.max(lineCounter.linePos(offset).line, 1);
  const document = parseDocument(text, {
    lineCounter,
    merge: true,
    prettyErrors: false,
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const broken = document.errors.map(({ code, pos }) => ({
    at: pos[0],
    message: `it is not valid YAML: ${wordsOf(code)}`,
  }));
  const [first] = broken.length > 0 ? broken : [...excesses(document)];
  if (first) throw new ManifestError([`line ${lineAt(first.at)}: ${first.message}`]);
  return {
    value: resolved(document),
    located(details) {
      const placed = details.map(({ path, message }) => ({ line: lineAt(offsetOf(document, path)), path, message }));
      return new ManifestError(
        placed.sort((a, b) => a.line - b.line).map((one) => `line ${one.line}: ${one.path || "/"} ${one.message}`),
      );
    },
  };
}
