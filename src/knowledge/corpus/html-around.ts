import type { Cheerio, CheerioAPI } from "cheerio";
import type { AnyNode, Element } from "domhandler";
import { isElement } from "./html-tree.ts";

/** Elements that surround a page's text. A button inside a title is excluded, because it is part of that title. */
const around =
  "script, style, noscript, template, svg, iframe, object, button, input, select, nav, dialog, head, " +
  "[aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog]";
const opening = ["h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt"].map((title) => `${title} button`).join(", ");

/** Names of elements that probably surround the text, but may also contain it. */
const aroundNames =
  /(?:^|[-_\s])(?:cookie|consent|gdpr|breadcrumbs?|navbar|menu|sidebar|social|share|newsletter|skip-?link|pagination)s?(?:$|[-_\s])/i;
const cookieName = /(?:^|[-_\s])cookies?(?:$|[-_\s])/i;
const bannerName = /(?:^|[-_\s])(?:consent|gdpr|newsletter)s?(?:$|[-_\s])/i;

/** Maximum length, in letters, of a menu entry's label; it is also not a sentence, heading or number. */
const lettersOfLabel = 60;
const isSentence = /\d|[.!?:;](?:\s|$)/;

/** More letters outside links are content, even next to a field or a button. */
const lettersOfBanner = 400;

const nameOf = ({ attribs }: Element): string => `${attribs.class ?? ""} ${attribs.id ?? ""}`;

const isField = ({ name, attribs }: Element): boolean =>
  name === "button" || name === "select" || name === "textarea" || (name === "input" && attribs.type !== "hidden");
const isPart = ({ name, attribs }: Element): boolean =>
  name === "main" || name === "article" || name === "h1" || attribs.role === "main";

/** Counts of an element's contents. */
interface Contents {
  /** Number of letters and digits: all of them, and those in links, labels and fields. */
  letters: number;
  clickable: number;
  fields: number;
  headings: number;
  hasSentence: boolean;
  /** Whether it contains the page's main text. */
  hasPart: boolean;
}

interface Measured {
  readonly contents: Contents;
  readonly parent: Contents | undefined;
}

/** Adds a text to the counts of its element. */
function countText(contents: Contents, text: string, isClickable: boolean): void {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  contents.letters += letters;
  if (isClickable) contents.clickable += letters;
  if (isSentence.test(text)) contents.hasSentence = true;
}

/** Adds an element's counts to those of its parent. */
function countPart({ contents, parent }: Measured): void {
  if (!parent) return;
  parent.letters += contents.letters;
  parent.clickable += contents.clickable;
  parent.fields += contents.fields;
  parent.headings += contents.headings;
  parent.hasSentence ||= contents.hasSentence;
  parent.hasPart ||= contents.hasPart;
}

/** Counts the contents of all descendants. Each text is scanned once, however deeply it is nested. */
function contentsIn(root: Element): ReadonlyMap<Element, Contents> {
  const measured = new Map<Element, Measured>();
  const open: { element: Element; parent: Contents | undefined; isInside: boolean }[] = [
    { element: root, parent: undefined, isInside: false },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { element, parent, isInside } = next;
    const isClickable = isInside || isField(element) || element.name === "a" || element.name === "label";
    const contents: Contents = {
      letters: 0,
      clickable: 0,
      fields: isField(element) ? 1 : 0,
      headings: /^h[2-6]$/.test(element.name) ? 1 : 0,
      hasSentence: false,
      hasPart: isPart(element),
    };
    measured.set(element, { contents, parent });
    for (const child of element.children)
      if (child.type === "text") countText(contents, child.data, isClickable);
      else if (isElement(child) && child.name !== "script" && child.name !== "style")
        open.push({ element: child, parent: contents, isInside: isClickable });
  }
  // Parents were inserted before their children, so in reverse order each child is complete before it is added.
  for (const one of [...measured.values()].reverse()) countPart(one);
  return new Map([...measured].map(([element, { contents }]) => [element, contents]));
}

/** Checks whether an element is for clicking, not reading. A form or a name like `social-insurance` is not enough. */
function isForClicking(element: Element, contents: Contents): boolean {
  const { letters, clickable, fields, headings, hasSentence, hasPart } = contents;
  if (hasPart) return false;
  if (clickable * 2 >= letters || cookieName.test(nameOf(element))) return true;
  if (fields === 0)
    return aroundNames.test(nameOf(element)) && headings === 0 && !hasSentence && letters <= lettersOfLabel;
  return bannerName.test(nameOf(element)) || (headings === 0 && letters - clickable <= lettersOfBanner);
}

/** Returns the elements that surround a page's text. */
export function aroundText($: CheerioAPI): ReadonlySet<AnyNode> {
  const named: Cheerio<Element> = $("[class], [id]").filter((_, element) => aroundNames.test(nameOf(element)));
  const guessed = named.not("html, body, main, article").add("form, aside");
  const body = $("body").get(0);
  const contents = guessed.length > 0 && body ? contentsIn(body) : new Map<Element, Contents>();
  const judged = guessed.toArray().filter((node) => {
    const own = isElement(node) ? contents.get(node) : undefined;
    return isElement(node) && own !== undefined && isForClicking(node, own);
  });
  return new Set<AnyNode>([...judged, ...$(around).not(opening).toArray()]);
}

/** Returns the elements of the body that are outside `root` and not its ancestors. */
export function beside(body: Element | undefined, root: Element | undefined): AnyNode[] {
  const within = new Set<AnyNode>();
  for (let node: AnyNode | null = root ?? null; node; node = node.parent) within.add(node);
  const found: AnyNode[] = [];
  for (let node = body; node && node !== root && within.has(node); ) {
    let next: Element | undefined;
    for (const child of node.children)
      if (!within.has(child)) found.push(child);
      else if (isElement(child)) next = child;
    node = next;
  }
  return found;
}
