import type { CheerioAPI } from "cheerio";
import type { AnyNode, ParentNode } from "domhandler";
import { isHidden, isStruckOut, type Look } from "./html-looks.ts";
import { looksIn } from "./html-styles.ts";
import { isElement } from "./html-tree.ts";

/** Elements and texts that a reader of the page can't see or sees struck out. */
export interface Unseen {
  readonly hidden: ReadonlySet<AnyNode>;
  readonly struck: ReadonlySet<AnyNode>;
}

/** Inherited properties, which any descendant may override. */
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
 * Finds what a page hides or strikes out with styles or the `hidden` attribute. Text that is hidden only on some
 * screens or by a script is not included. Throws `Refused`.
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
