import type { Detail } from "../../platform/errors.ts";

/** What is wrong with a manifest, a line each, for whoever wrote it. */
export class ManifestError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ManifestError";
  }
}

/** Bytes of a manifest: it is read by people. */
const longest = 262_144;

const parses = (text: string): boolean => {
  try {
    Bun.YAML.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The first line from which on no beginning of the text is YAML any more: there, or right above, is the mistake. */
function brokenLine(text: string): number {
  const lines = text.split("\n");
  let first = lines.length;
  while (first > 1 && !parses(lines.slice(0, first - 1).join("\n"))) first--;
  return first;
}

interface Level {
  readonly indent: number;
  readonly name: string;
}

const entry = /^(\s*)((?:-\s+)*)(?:"([^"]*)"|'([^']*)'|([^\s#"'[{][^:#]*?))\s*:(?:\s|$)/;
const item = /^(\s*)-(\s|$)/;

/** Each line's place in the document as a JSON Pointer, for block style; others belong to the line that opens them. */
function placesOf(text: string): Map<string, number> {
  const places = new Map<string, number>();
  const open: Level[] = [];
  const counts = new Map<string, number>();
  const enter = (indent: number, name: string, line: number): string => {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    open.push({ indent, name });
    const path = open.map((level) => `/${level.name}`).join("");
    if (!places.has(path)) places.set(path, line);
    return path;
  };
  for (const [at, line] of text.split("\n").entries()) {
    let indent = line.match(item)?.[1]?.length;
    let rest = line;
    for (; indent !== undefined; indent = rest.match(item)?.[1]?.length) {
      // An item may stand right under its list's name, without an indent of its own.
      const depth = indent + 0.5;
      while ((open.at(-1)?.indent ?? -1) >= depth) open.pop();
      const list = open.map((level) => `/${level.name}`).join("");
      const index = counts.get(list) ?? 0;
      counts.set(list, index + 1);
      enter(depth, String(index), at + 1);
      rest = rest.replace("-", " ");
    }
    const found = rest.match(entry);
    if (found) enter(found[1]?.length ?? 0, found[3] ?? found[4] ?? found[5] ?? "", at + 1);
  }
  return places;
}

/** The line of a place, or of the nearest one around it that has a line of its own. */
function lineOf(places: ReadonlyMap<string, number>, path: string): number {
  for (let place = path; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
    const line = places.get(place);
    if (line !== undefined) return line;
  }
  return 1;
}

/** The value of a manifest's text. Throws `ManifestError`. */
export function parseManifest(text: string): unknown {
  if (text.length > longest) throw new ManifestError([`it has more than ${longest} characters`]);
  try {
    return Bun.YAML.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "it is no YAML";
    throw new ManifestError([`line ${brokenLine(text)}: ${why}`]);
  }
}

/** Details with the lines of the text that they are about, in the order of the lines. */
export function located(text: string, details: readonly Detail[]): ManifestError {
  const places = placesOf(text);
  const found = details.map(({ path, message }) => ({ line: lineOf(places, path), path, message }));
  const lines = found
    .sort((a, b) => a.line - b.line)
    .map((one) => `line ${one.line}: ${one.path || "/"} ${one.message}`);
  return new ManifestError(lines);
}
