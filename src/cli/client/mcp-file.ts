import {
  applyEdits,
  createScanner,
  type Edit,
  type FormattingOptions,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { CommandError } from "../io.ts";

/** Changes to another program's file: only the entry's own lines, with its comments, order and indentation kept. */

const byteOrderMark = "\uFEFF";

/** Of jsonc-parser's `SyntaxKind`, a const enum that only its own compilation can name. */
const kinds = { comma: 5, lineComment: 12, blockComment: 13, blanks: 15 } as const;

/** The file's own way to indent and to end lines. */
function formattingOf(text: string): FormattingOptions {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = /^([\t ]+)\S/m.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function refusal(path: string, problem: string): CommandError {
  return new CommandError(1, `${path} ${problem}. It was not touched.`, "Correct it by hand, then try again.");
}

function treeOf(path: string, text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error)
    throw refusal(path, `is not valid JSON (${printParseErrorCode(error.error)}, ${placeOf(text, error.offset)})`);
  if (tree?.type !== "object") throw refusal(path, "is JSON, but no object");
  return tree;
}

/** A member that appears twice: programs read the last one, editors change the first. */
function isDoubled({ children = [] }: Node, name: string): boolean {
  return children.filter((member) => member.children?.[0]?.value === name).length > 1;
}

/** What stands behind a place up to the end of its line: comments, and the comma that belongs to the member before it. */
function restOfLine(text: string, from: number): { readonly comma: number | undefined; readonly end: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let comma: number | undefined;
  let end = from;
  for (;;) {
    const kind = scanner.scan();
    if (kind === kinds.comma && comma === undefined) comma = scanner.getTokenOffset();
    else if (![kinds.blanks, kinds.lineComment, kinds.blockComment].some((known) => known === kind))
      return { comma, end };
    if (kind !== kinds.blanks) end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
}

/** Where the comma behind a member is, whatever stands between them. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === kinds.comma ? scanner.getTokenOffset() : undefined;
}

const endOf = ({ offset, length }: Node): number => offset + length;
/** The blanks before a place, where its line has nothing else before it. */
function marginAt(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return line.trim() === "" ? line : undefined;
}

/** A value as the file would write it, below a margin. */
function written(value: object, margin: string, { insertSpaces, tabSize = 2, eol = "\n" }: FormattingOptions): string {
  const unit = insertSpaces ? " ".repeat(tabSize) : "\t";
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + margin);
}

/** Adds a member behind the last one and the comments on its line. Undefined where the object is written on one line. */
function appended(text: string, object: Node, name: string, value: object): Edit[] | undefined {
  const last = object.children?.at(-1);
  if (!last || !text.slice(object.offset, endOf(object)).includes("\n")) return undefined;
  const [margin = ""] = /^[\t ]*/.exec(text.slice(text.lastIndexOf("\n", last.offset) + 1)) ?? [];
  const formatting = formattingOf(text);
  const { comma, end } = restOfLine(text, endOf(last));
  const member = `${formatting.eol}${margin}${JSON.stringify(name)}: ${written(value, margin, formatting)}`;
  return [
    ...(comma === undefined ? [{ offset: endOf(last), length: 0, content: "," }] : []),
    // A comma behind the last member is the file's own way: the new last one gets it too.
    { offset: end, length: 0, content: comma === undefined ? member : `${member},` },
  ];
}

/** Takes a member out with its line and its comma, and nothing that stands beside it. */
function removed(text: string, object: Node, member: Node): Edit[] | undefined {
  const { children = [] } = object;
  const margin = marginAt(text, member.offset);
  if (margin === undefined) return undefined;
  const before = children[children.indexOf(member) - 1];
  const lineStart = member.offset - margin.length;
  const start = text.slice(0, lineStart).endsWith("\r\n") ? lineStart - 2 : Math.max(lineStart - 1, 0);
  const own = commaAfter(text, endOf(member));
  const earlier = own === undefined && before ? commaAfter(text, endOf(before)) : undefined;
  const gone = [{ offset: start, length: endOf(member) - start, content: "" }];
  for (const comma of [own, earlier]) if (comma !== undefined) gone.push({ offset: comma, length: 1, content: "" });
  return gone.sort((a, b) => a.offset - b.offset);
}

/** The edits that leave comments and neighbours as they are; undefined where an object is on one line, and has none. */
function gentleEdits(text: string, tree: Node, path: readonly [string, string], entry: object | undefined) {
  const [section, name] = path;
  const servers = findNodeAtLocation(tree, [section]);
  const value = servers && findNodeAtLocation(servers, [name]);
  if (!servers) return entry && appended(text, tree, section, { [name]: entry });
  if (!value) return entry && appended(text, servers, name, entry);
  const { parent: member } = value;
  if (!member) return undefined;
  if (entry === undefined) return removed(text, servers, member);
  const margin = marginAt(text, member.offset);
  if (margin === undefined) return undefined;
  return [{ offset: value.offset, length: value.length, content: written(entry, margin, formattingOf(text)) }];
}

/**
 * The file's text with `entry` at `section.name`, or without it where `entry` is undefined. Exit 1, with where and why,
 * for a text that can't be changed without harm.
 */
export function withEntry(path: string, text: string, section: string, name: string, entry: object | undefined) {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const bare = text.slice(mark.length);
  const base = bare.trim() === "" ? "{}\n" : bare;
  const tree = treeOf(path, base);
  const servers = findNodeAtLocation(tree, [section]);
  if (isDoubled(tree, section) || (servers && isDoubled(servers, name))) throw refusal(path, "holds a member twice");
  if (servers && servers.type !== "object") throw refusal(path, `has a ${section} that is no object`);
  if (entry === undefined && !(servers && findNodeAtLocation(servers, [name]))) return text;
  const gentle = gentleEdits(base, tree, [section, name], entry);
  if (gentle) return mark + applyEdits(base, gentle);
  // A file of one line is a program's: it stays one.
  const options = base.trim().includes("\n") || base.trim() === "{}" ? { formattingOptions: formattingOf(base) } : {};
  return mark + applyEdits(base, modify(base, [section, name], entry, options));
}
