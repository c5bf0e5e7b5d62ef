import type { CheerioAPI } from "cheerio/slim";
import { getDomain } from "tldts";
import type { Heading, Item, Line, Link, PageFacts, Region } from "./facts.ts";
import { clean } from "./text.ts";

/** One walk over a page's elements in reading order, without recursion, however deeply they are nested. */

type Document = ReturnType<CheerioAPI["root"]>[number];
type Node = Document["children"][number];
type Element = Extract<Node, { attribs: object }>;
type Read = Pick<PageFacts, "headings" | "links" | "items" | "lines" | "logos" | "text" | "small">;

const unseen = new Set(
  "title script style noscript template svg iframe object select textarea head canvas video audio".split(" "),
);
const inline = new Set(
  "a abbr acronym b bdi big cite code em font i ins kbd label mark q s small span strike strong sub sup time tt u var".split(
    " ",
  ),
);
const groups = new Set("ul ol nav table dl p div footer header section center body".split(" "));
/** Elements whose end also ends the scope of a heading inside. */
const sections = new Set("section article main aside td th li form body nav header footer".split(" "));
/** Maximum characters of running text, and of the footer once that is reached. */
const textMax = 60_000;
const footerMax = 20_000;
const listsMax = 1_500;
const addressMax = 2_000;
/** Maximum characters of a heading or label, because everything below it is judged by it. */
const labelMax = 200;
const headingName = /^h[1-6]$/;
const marksOf = ({ attribs }: Element): string =>
  `${attribs.id ?? ""} ${attribs.class ?? ""} ${attribs.role ?? ""}`.toLowerCase();
const consent = /cookie|consent|gdpr|onetrust|boldchat|livechat|goog-te|captcha/;
/** Matches one id, class or role, but neither `border-bottom` nor `section-header`. */
const navigation =
  /(?:^|\s)(?:\S+[_-])?(?:nav|navi|navbar|navigation|menu|submenu|mainmenu|topmenu|hmenu|megamenu)(?:[_-]\S*)?(?:\s|$)|menu(?:\s|$)/;
const footer =
  /(?:^|\s)(?:(?:site|page|main)[_-])?(?:foot|bottom|colophon|copyright|patka|paticka|zapati)(?:[_-]\S*)?(?:\s|$)|footer/;
const header = /(?:^|\s)(?:(?:site|page|main|top)[_-])?(?:header|masthead|topbar|hlavicka)(?:\s|$)/;
const hasOwnHeadings = (region: Region): boolean => region === "navigation" || region === "footer";

function regionOf(element: Element, within: Region): Region {
  if (within === "footer" || element.name === "body" || element.name === "html") return within;
  const marks = marksOf(element);
  if (element.name === "footer" || footer.test(marks)) return "footer";
  if (element.name === "nav" || navigation.test(marks)) return "navigation";
  if (within === "main" && (element.name === "header" || header.test(marks))) return "header";
  return within;
}

const isHidden = (element: Element): boolean =>
  unseen.has(element.name) ||
  element.attribs.hidden !== undefined ||
  consent.test(marksOf(element)) ||
  (element.attribs["aria-hidden"] === "true" && element.name !== "a");

interface Group {
  readonly id: number;
  text: number;
  linked: number;
  links: number;
}
/** An open element, and the state to restore when it ends. */
interface Open {
  readonly name: string;
  readonly region: Region;
  readonly group: Group;
  readonly titles: readonly Title[];
}
/** A heading in effect, until only `until` elements are open, or another heading of its level follows. */
interface Title {
  readonly text: string;
  readonly level: number;
  readonly until: number;
}
interface Begun {
  readonly href: string;
  readonly element: Element;
  text: string;
  heading: string | null;
  alt: string;
}

class Walk {
  readonly headings: Heading[] = [];
  readonly links: (Link & { readonly group: Group })[] = [];
  readonly items: Item[] = [];
  readonly logos: { readonly alt: string; readonly rank: number }[] = [];
  readonly lines: (Line & { readonly isPlain: boolean })[] = [];
  private line = "";
  /** Characters of the line that are in a link, a heading or a button. */
  private lineElsewhere = 0;
  private read = 0;
  private footer = 0;
  private region: Region = "main";
  private groupsSeen = 0;
  private group: Group = { id: 0, text: 0, linked: 0, links: 0 };
  private readonly open: Open[] = [];
  private readonly entries: { label: string | null; text: string; links: number }[] = [];
  /** The headings in effect, outermost first. */
  private titles: readonly Title[] = [];
  /** Characters of text since the last heading. */
  private sinceTitle = 0;
  private heading: { level: number; text: string } | null = null;
  private link: Begun | null = null;
  /** An anchor without an address, as some page builders make tabs and buttons. */
  private button: { readonly element: Element; text: string } | null = null;

  constructor(
    private readonly base: URL,
    private readonly domain: string,
  ) {}

  words(whole: string): void {
    if (this.read > textMax && (this.region !== "footer" || this.footer > footerMax)) return;
    const data = whole.slice(0, textMax);
    this.read += data.length;
    if (this.region === "footer") this.footer += data.length;
    this.line += data;
    const length = data.trim().length;
    this.group.text += length;
    if (this.link || this.heading || this.button) this.lineElsewhere += length;
    if (this.heading) this.heading.text += data;
    else this.sinceTitle += length;
    const entry = this.entries.at(-1);
    if (entry) entry.text += data;
    if (this.button) this.button.text += data;
    if (!this.link) return;
    this.link.text += data;
    this.group.linked += length;
  }

  private endLine(): void {
    const text = clean(this.line);
    this.line = "";
    const under = this.titles.at(-1)?.text ?? null;
    const isPlain = this.lineElsewhere * 2 < text.length;
    this.lineElsewhere = 0;
    if (text) this.lines.push({ text, region: this.region, under, list: this.group.id, isPlain });
    if (this.link) this.link.text += "\n";
    if (this.heading) this.heading.text += " ";
    const entry = this.entries.at(-1);
    if (entry) entry.text += " ";
  }

  enter(element: Element): void {
    const { name, attribs } = element;
    const isButton =
      name === "a" && attribs.href === undefined && attribs.name === undefined && attribs.id === undefined;
    if (!inline.has(name) || isButton) this.endLine();
    this.open.push({ name, region: this.region, group: this.group, titles: this.titles });
    const region = regionOf(element, this.region);
    if (region !== this.region && hasOwnHeadings(region)) this.titles = [];
    this.region = region;
    if (groups.has(name)) this.group = { id: ++this.groupsSeen, text: 0, linked: 0, links: 0 };
    if (name === "li" || name === "dt") this.entries.push({ label: null, text: "", links: 0 });
    if (headingName.test(name)) this.heading = { level: Number(name[1]), text: "" };
    if (name === "a" && attribs.href !== undefined && !this.link)
      this.link = { href: attribs.href, element, text: "", heading: null, alt: "" };
    if (isButton) this.button = { element, text: "" };
    if (name === "img") this.image(element);
  }

  leave(element: Element): void {
    const { name } = element;
    if (!inline.has(name) || this.button?.element === element) this.endLine();
    if (headingName.test(name)) this.endHeading();
    if (this.link?.element === element) this.endLink(this.link);
    if (this.button?.element === element) this.endButton(this.button.text);
    if (name === "li" || name === "dt") this.endEntry();
    const before = this.open.pop();
    if (!before) return;
    const leaves = before.region !== this.region && hasOwnHeadings(this.region);
    this.titles = leaves ? before.titles : this.inForce();
    this.region = before.region;
    this.group = before.group;
  }

  /**
   * Returns the headings still in effect. A section that ends right after its heading leaves it to the next section.
   */
  private inForce(): readonly Title[] {
    const depth = this.open.length;
    const last = this.sinceTitle === 0 ? this.titles.at(-1) : undefined;
    return this.titles.flatMap((title) =>
      title.until <= depth ? title : title === last ? { ...title, until: depth } : [],
    );
  }

  private endHeading(): void {
    const { heading } = this;
    this.heading = null;
    const text = clean(heading?.text ?? "");
    if (!heading || !text) return;
    const { level } = heading;
    const above = this.titles.filter((title) => title.level < level);
    const under = above.at(-1)?.text ?? null;
    if (this.headings.length < listsMax) this.headings.push({ level, text, region: this.region, under });
    if (this.link) this.link.heading ??= text;
    // Pages wrap headings in boxes, so a heading counts for the section around it, until another of its level follows.
    const section = this.open.findLastIndex(({ name }) => sections.has(name));
    this.titles = [...above, { text: clean(text.slice(0, labelMax)), level, until: section + 1 }];
    this.sinceTitle = 0;
  }

  private endLink({ href, element, text, heading, alt }: Begun): void {
    this.link = null;
    if (href.length > addressMax || this.links.length >= listsMax) return;
    const target = URL.parse(href, this.base.href);
    const lines = text.split("\n").map(clean).filter(Boolean);
    const whole = lines.join(" ");
    const said = heading ?? (whole.length <= 60 ? whole : (lines[0] ?? ""));
    const named = said || alt || element.attribs.title || element.attribs["aria-label"] || "";
    const label = clean(named.slice(0, labelMax));
    const entry = this.entries.at(-1);
    if (!target) return;
    const within = this.entries.slice(0, entry?.label === null ? -1 : undefined).flatMap((one) => one.label ?? []);
    if (entry) {
      entry.links++;
      entry.label ??= label;
    }
    this.group.links++;
    this.links.push({
      text: label,
      href: target.href,
      own: /^https?:$/.test(target.protocol) && (getDomain(target.hostname) ?? target.hostname) === this.domain,
      region: this.region,
      within,
      under: this.titles.at(-1)?.text ?? null,
      listed: this.region === "navigation" || entry !== undefined,
      heading: heading !== null || this.heading !== null,
      list: this.group.id,
      group: this.group,
    });
  }

  private endEntry(): void {
    const entry = this.entries.pop();
    if (entry?.links === 0) this.item(entry.text);
  }

  private endButton(text: string): void {
    this.button = null;
    this.item(text);
  }

  private item(said: string): void {
    const text = clean(said);
    if (!text || text.length > 100 || this.items.length >= listsMax) return;
    this.items.push({ text, region: this.region, under: this.titles.at(-1)?.text ?? null });
  }

  private image(element: Element): void {
    const { alt = "", src = "" } = element.attribs;
    const text = clean(alt);
    if (this.link) this.link.alt ||= text;
    if (!text || text.length > 80) return;
    const marks = `${marksOf(element)} ${src.toLowerCase()} ${text.toLowerCase()}`;
    const home = this.link && URL.parse(this.link.href, this.base.href);
    const toHome = home?.pathname === "/" || home?.pathname.startsWith("/index.") === true;
    if (/logo/.test(marks)) this.logos.push({ alt: text, rank: toHome ? 0 : 1 });
    else if (toHome || this.region === "header") this.logos.push({ alt: text, rank: toHome ? 1 : 2 });
  }

  result(): Read {
    this.endLine();
    const lists = ({ group: { links, text, linked } }: { group: Group }) => links >= 3 && linked >= 0.6 * text;
    return {
      headings: this.headings,
      links: this.links.map(({ group, ...link }) => ({ ...link, listed: link.listed || lists({ group }) })),
      items: this.items,
      lines: this.lines.flatMap(({ isPlain, ...line }) => (isPlain ? line : [])),
      logos: this.logos.sort((a, b) => a.rank - b.rank).map(({ alt }) => alt),
      text: this.lines.map(({ text }) => text).join("\n"),
      small: this.lines
        .filter(({ text, region }) => region === "footer" || /©|\(c\)|copyright/i.test(text))
        .map(({ text }) => text),
    };
  }
}

/** Returns the headings, links, lists, logos and text below the nodes. Links to `domain` are the site's own. */
export function walk(nodes: readonly Node[], base: URL, domain: string): Read {
  const state = new Walk(base, domain);
  const stack: { readonly node: Node; readonly leaving: boolean }[] = [];
  const push = (children: readonly Node[]) => {
    for (const node of children.toReversed()) stack.push({ node, leaving: false });
  };
  push(nodes);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, leaving } = next;
    if (node.type === "text") state.words(node.data);
    if (!("attribs" in node)) continue;
    if (leaving) state.leave(node);
    else if (!isHidden(node)) {
      state.enter(node);
      stack.push({ node, leaving: true });
      push(node.children);
    }
  }
  return state.result();
}
