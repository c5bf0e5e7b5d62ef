/**
 * What is read off a page, before anybody decides what it means. It is the seam between reading and judging: the
 * embedded method judges by rules, and a language model may be asked about the same facts.
 */

export type Region = "navigation" | "header" | "footer" | "main";

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly region: Region;
  /** The heading it is below, one level up or more. */
  readonly under: string | null;
}

export interface Link {
  readonly text: string;
  /** Absolute. */
  readonly href: string;
  /** On the company's own site. */
  readonly own: boolean;
  readonly region: Region;
  /** Labels of the menu entries around it, the outermost first. */
  readonly within: readonly string[];
  /** The heading above it in the same part of the page. */
  readonly under: string | null;
  /** Is in a list of links, as menus are. */
  readonly listed: boolean;
  /** Which list of the page; links of one menu have the same. */
  readonly list: number;
  /** Is itself a heading, as titles of cards are. */
  readonly heading: boolean;
}

/** An item of a list that is no link. */
export interface Item {
  readonly text: string;
  readonly region: Region;
  readonly under: string | null;
}

/** A line of text that is neither a link nor a heading: a block of the page. */
export interface Line {
  readonly text: string;
  readonly region: Region;
  readonly under: string | null;
  /** Which list or box of the page. */
  readonly list: number;
}

/** An item of JSON-LD or microdata: its types, and its properties as texts and further items. */
export interface Thing {
  readonly types: readonly string[];
  readonly properties: Readonly<Record<string, readonly (string | Thing)[]>>;
  readonly from: "JSON-LD" | "microdata";
}

export interface PageFacts {
  readonly url: string;
  /** Two letters of the page's own statement. */
  readonly language: string | null;
  readonly title: string;
  /** Named `<meta>` elements, names in lower case. */
  readonly meta: Readonly<Record<string, string>>;
  /** Languages and regions of alternates, such as `cs` or `de-at`. */
  readonly alternates: readonly string[];
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly items: readonly Item[];
  readonly lines: readonly Line[];
  /** Alternative texts of logos, the likeliest first. */
  readonly logos: readonly string[];
  readonly things: readonly Thing[];
  /** Visible text, a line for each block. */
  readonly text: string;
  /** Lines of the footer, or that speak of copyright. */
  readonly small: readonly string[];
  readonly scripts: number;
  /** Where a page without content of its own sends the reader. */
  readonly forward: string | null;
}

/** What was read of a site: the page that was asked for first. */
export interface Site {
  readonly pages: readonly [PageFacts, ...PageFacts[]];
  /** The part of the domain that a company chooses: `woods` of `www.woods.co.uk`. Null for a bare address. */
  readonly label: string | null;
  /** The last part of the host's name. */
  readonly tld: string | null;
}
