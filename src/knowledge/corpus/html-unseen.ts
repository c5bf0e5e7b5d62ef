import type { CheerioAPI } from "cheerio";
import type { AnyNode, ParentNode } from "domhandler";
import { isHidden, isStruckOut, type Look } from "./html-looks.ts";
import { looksIn } from "./html-styles.ts";
import { isElement } from "./html-tree.ts";

/** What a reader of a page doesn't see, or sees struck out: elements and texts. */
export interface Unseen {
  readonly hidden: ReadonlySet<AnyNode>;
  readonly struck: ReadonlySet<AnyNode>;
}

/** What an element hands down to the elements in it: each may take it back. */
const handedDown = ["visibility", "font-size"];

function lostIn(look: Look | undefined, around: ReadonlySet<string>): ReadonlySet<string> {
  if (!look) return around;
  const isLost = (property: string): boolean => {
    const effect = look.get(property) ?? "inherits";
    return effect === "inherits" ? around.has(property) : effect === "hides";
  };
  return new Set(handedDown.filter(isLost));
}

/**
 * Finds what a page hides or strikes out by its styles, and what has the attribute `hidden`. Only what is hidden on every
 * screen, and not by a script. Throws `Refused`.
 */
export function unseenIn($: CheerioAPI): Unseen {
  const looks = looksIn($);
  const [hidden, struck] = [new Set<AnyNode>(), new Set<AnyNode>()];
  const open: { parent: ParentNode; lost: ReadonlySet<string> }[] = $.root()
    .toArray()
    .map((parent) => ({ parent, lost: new Set<string>() }));
  for (let next = open.pop(); next; next = open.pop())
    for (const child of next.parent.children) {
      if (!isElement(child)) {
        if (next.lost.size > 0) hidden.add(child);
        continue;
      }
      const look = looks.get(child);
      if ("hidden" in child.attribs || (look && isHidden(look))) hidden.add(child);
      else if (look && isStruckOut(look)) struck.add(child);
      else open.push({ parent: child, lost: lostIn(look, next.lost) });
    }
  return { hidden, struck };
}
