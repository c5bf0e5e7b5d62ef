import {
  applyEdits,
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
  // A file of one line is a program's: it stays one.
  const options = base.trim().includes("\n") || base.trim() === "{}" ? { formattingOptions: formattingOf(base) } : {};
  return mark + applyEdits(base, modify(base, [section, name], entry, options));
}
