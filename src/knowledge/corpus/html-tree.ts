import { type CheerioAPI, load } from "cheerio";
import type { AnyNode, Element, ParentNode } from "domhandler";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { Refused } from "./blocks.ts";
import { type Shift, shifted } from "./shifted.ts";

/** Elements that don't break a line. */
export const flowing: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Whether a node has a name and attributes: no text, no comment. */
export const isElement = (node: AnyNode): node is Element => "attribs" in node;

/** How deep elements may be nested: deeper ones are no text for people, and cost more than they are worth. */
export const deepest = 500;
/** Elements of a tree for each tag of the text, and beyond that: what a parser adds to mend a page is less. */
const elementsPerTag = 4;
const elementsAdded = 100;

/**
 * Makes a tree of HTML. A few thousand tags that are never closed can make millions of elements, since each paragraph
 * opens them again: depth and number are counted while the tree grows. Throws `Refused`.
 */
export function treeOf(text: string, isDocument: boolean): CheerioAPI {
  let most = elementsAdded;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) most += elementsPerTag;
  let [elements, depth] = [0, 0];
  const counting: typeof adapter = {
    ...adapter,
    createElement(...element) {
      if (++elements > most) throw new Refused("broken", "its elements are never closed");
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

/** Puts an element's children on a stack, the first one on top. */
export function openChildren({ children }: Element, open: AnyNode[]): void {
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (child) open.push(child);
  }
}

/** What a browser never shows as text. */
const code = new Set(["script", "style", "template", "noscript", "head", "svg"]);

/** All text inside, without recursion: however deep it is nested. */
export function textIn(root: AnyNode): string {
  const open: AnyNode[] = [root];
  let text = "";
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "text") text += node.data;
    else if (isElement(node) && !code.has(node.name)) {
      // Cells and lines of a heading or a cell are apart on the page, so they are in the text.
      if (!flowing.has(node.name)) text += " ";
      openChildren(node, open);
    }
  }
  return text;
}

const isStruckOut = (node: AnyNode): boolean => isElement(node) && /^(?:del|s|strike)$/.test(node.name);

const shiftOf = ({ name }: Element): Shift | undefined =>
  name === "sup" ? "above" : name === "sub" ? "below" : undefined;

/** What is to be taken out of a tree, besides elements that strike out by their name. */
type Unwanted = Readonly<Record<"around" | "hidden" | "struck", ReadonlySet<AnyNode>>>;

/** What `prepare` took out of a tree: the outermost, in no order. */
export interface Removed {
  readonly around: readonly AnyNode[];
  readonly hidden: readonly AnyNode[];
  /** In how many places text is struck out. */
  readonly struck: number;
}

/**
 * Takes elements out of a tree, and what is hidden or struck out; signs above and below the line get letters of their own.
 * All in one pass: removing each element by itself searches among all of its siblings.
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
