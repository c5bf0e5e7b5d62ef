import { type CheerioAPI, load } from "cheerio";
import type { AnyNode, Element, ParentNode } from "domhandler";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { Refused } from "./blocks.ts";
import { type Shift, shifted } from "./shifted.ts";

/** Inline elements, which do not break a line. */
export const flowing: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Checks whether a node is an element, not a text or a comment. */
export const isElement = (node: AnyNode): node is Element => "attribs" in node;

/** Maximum nesting of elements. Deeper ones are not meant for readers and cost too much to process. */
export const deepest = 500;
/** Maximum number of elements per tag of the text, and in addition to that. A parser that repairs a page adds fewer. */
const elementsPerTag = 4;
const elementsAdded = 100;

/**
 * Parses HTML into a tree. A few thousand unclosed tags can expand to millions of elements, because each paragraph
 * reopens them, so depth and count are limited while parsing. Throws `Refused`.
 */
export function treeOf(text: string, isDocument: boolean): CheerioAPI {
  let most = elementsAdded;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) most += elementsPerTag;
  let [elements, depth] = [0, 0];
  const counting: typeof adapter = {
    ...adapter,
    createElement(...element) {
      if (++elements > most) throw new Refused("broken", "too many of its elements are never closed");
      return adapter.createElement(...element);
    },
    onItemPush() {
      if (++depth > deepest) throw new Refused("broken", `its elements are nested more than ${deepest} deep`);
    },
    onItemPop() {
      depth--;
    },
  };
  return load(text, { treeAdapter: counting }, isDocument);
}

/** Pushes an element's children onto a stack, the first one on top. */
export function openChildren({ children }: Element, open: AnyNode[]): void {
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (child) open.push(child);
  }
}

/** Elements that a browser never shows as text. */
const code = new Set(["script", "style", "template", "noscript", "head", "svg"]);

/** Returns all text inside a node, iteratively because nesting may be deep. */
export function textIn(root: AnyNode): string {
  const open: AnyNode[] = [root];
  let text = "";
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "text") text += node.data;
    else if (isElement(node) && !code.has(node.name)) {
      // Cells and lines are separate on the page, so they are separated in the text.
      if (!flowing.has(node.name)) text += " ";
      openChildren(node, open);
    }
  }
  return text;
}

const isStruckOut = (node: AnyNode): boolean => isElement(node) && /^(?:del|s|strike)$/.test(node.name);

const shiftOf = ({ name }: Element): Shift | undefined =>
  name === "sup" ? "above" : name === "sub" ? "below" : undefined;

/** Nodes to remove from a tree, in addition to elements that strike out text by their name. */
type Unwanted = Readonly<Record<"around" | "hidden" | "struck", ReadonlySet<AnyNode>>>;

/** The nodes that `prepare` removed from a tree: only the outermost, in no order. */
export interface Removed {
  readonly around: readonly AnyNode[];
  readonly hidden: readonly AnyNode[];
  /** Number of places with struck-out text. */
  readonly struck: number;
}

/**
 * Removes unwanted elements and struck-out text from a tree, and converts superscripts and subscripts to Unicode
 * characters. Works in one pass, because removing elements one by one would search all siblings each time.
 */
export function prepare(root: ParentNode, unwanted: Unwanted): Removed {
  const around: AnyNode[] = [];
  const hidden: AnyNode[] = [];
  let struck = 0;
  const open: { parent: ParentNode; shift: Shift | undefined }[] = [{ parent: root, shift: undefined }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { parent, shift } = next;
    parent.children = parent.children.filter((child) => {
      if (unwanted.around.has(child)) around.push(child);
      else if (unwanted.hidden.has(child)) hidden.push(child);
      else if (unwanted.struck.has(child) || isStruckOut(child)) struck++;
      else return true;
      return false;
    });
    for (const child of parent.children)
      if (child.type === "text") child.data = shifted(child.data, shift);
      else if ("children" in child)
        open.push({ parent: child, shift: isElement(child) ? (shiftOf(child) ?? shift) : undefined });
  }
  return { around, hidden, struck };
}
