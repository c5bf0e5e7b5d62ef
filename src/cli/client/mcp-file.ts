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

/** Edits another program's file: only the entry's own lines change; comments, order and indentation stay. */

const byteOrderMark = "\uFEFF";

/** Values of jsonc-parser's `SyntaxKind`, a const enum that can't be imported. */
const kinds = { comma: 5, lineComment: 12, blockComment: 13, blanks: 15 } as const;

/** Returns the file's own indentation and line ends. */
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
  return new CommandError(1, `${path} ${problem}. It was not changed.`, "Correct it by hand, then try again.");
}

function treeOf(path: string, text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error)
    throw refusal(path, `is not valid JSON (${printParseErrorCode(error.error)}, ${placeOf(text, error.offset)})`);
  if (tree?.type !== "object") throw refusal(path, "is JSON, but not an object");
  return tree;
}

/** Returns whether a member appears twice: programs read the last one, editors change the first. */
function isDoubled({ children = [] }: Node, name: string): boolean {
  return children.filter((member) => member.children?.[0]?.value === name).length > 1;
}

/** Scans the rest of a line. Returns its comma, which belongs to the member before, and the end of its comments. */
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

/** Returns the offset of the comma after a member, skipping blanks and comments. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === kinds.comma ? scanner.getTokenOffset() : undefined;
}

const endOf = ({ offset, length }: Node): number => offset + length;
/** Returns the blanks before an offset; `undefined` if anything else precedes it on its line. */
function marginAt(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return line.trim() === "" ? line : undefined;
}

/** Formats a value in the file's style, indented by `margin`. */
function written(value: object, margin: string, { insertSpaces, tabSize = 2, eol = "\n" }: FormattingOptions): string {
  const unit = insertSpaces ? " ".repeat(tabSize) : "\t";
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + margin);
}

/** Returns edits that add a member after the last one and its comments; `undefined` if the object is on one line. */
function appended(text: string, object: Node, name: string, value: object): Edit[] | undefined {
  const last = object.children?.at(-1);
  if (!last || !text.slice(object.offset, endOf(object)).includes("\n")) return undefined;
  const [margin = ""] = /^[\t ]*/.exec(text.slice(text.lastIndexOf("\n", last.offset) + 1)) ?? [];
  const formatting = formattingOf(text);
  const { comma, end } = restOfLine(text, endOf(last));
  const member = `${formatting.eol}${margin}${JSON.stringify(name)}: ${written(value, margin, formatting)}`;
  return [
    ...(comma === undefined ? [{ offset: endOf(last), length: 0, content: "," }] : []),
    // The file uses trailing commas, so the new last member gets one too.
    { offset: end, length: 0, content: comma === undefined ? member : `${member},` },
  ];
}

/** Returns edits that remove a member with its line and its comma, and leave all else in place. */
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

/** Returns edits that keep comments and neighbours; `undefined` for an object on one line, which has none. */
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
 * Returns the file's text with `entry` at `section.name`, or without it if `entry` is `undefined`. Throws exit 1, with
 * the place and the reason, for a text that can't be edited safely.
 */
export function withEntry(path: string, text: string, section: string, name: string, entry: object | undefined) {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const bare = text.slice(mark.length);
  const base = bare.trim() === "" ? "{}\n" : bare;
  const tree = treeOf(path, base);
  const servers = findNodeAtLocation(tree, [section]);
  if (isDoubled(tree, section) || (servers && isDoubled(servers, name))) throw refusal(path, "contains a member twice");
  if (servers && servers.type !== "object") throw refusal(path, `has a ${section} that is not an object`);
  if (entry === undefined && !(servers && findNodeAtLocation(servers, [name]))) return text;
  const gentle = gentleEdits(base, tree, [section, name], entry);
  if (gentle) return mark + applyEdits(base, gentle);
  // A one-line file was written by a program and stays one line.
  const options = base.trim().includes("\n") || base.trim() === "{}" ? { formattingOptions: formattingOf(base) } : {};
  return mark + applyEdits(base, modify(base, [section, name], entry, options));
}
