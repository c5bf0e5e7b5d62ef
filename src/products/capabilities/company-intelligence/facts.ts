/**
 * What is extracted from a page before it is interpreted. It is the seam between reading and judging: the embedded
 * method judges the facts by rules, and a language model may be asked about the same facts.
 */

export type Region = "navigation" | "header" | "footer" | "main";

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly region: Region;
  /** The nearest heading above it of a higher level. */
  readonly under: string | null;
}

export interface Link {
  readonly text: string;
  /** The absolute address. */
  readonly href: string;
  /** Whether it is on the company's own site. */
  readonly own: boolean;
  readonly region: Region;
  /** Labels of the menu entries around it, outermost first. */
  readonly within: readonly string[];
  /** The heading above it in the same part of the page. */
  readonly under: string | null;
  /** Whether it is in a list of links, such as a menu. */
  readonly listed: boolean;
  /** Number of its list on the page, which the links of one menu share. */
  readonly list: number;
  /** Whether it is itself a heading, such as the title of a card. */
  readonly heading: boolean;
}

/** A list item that is not a link. */
export interface Item {
  readonly text: string;
  readonly region: Region;
  readonly under: string | null;
}

/** A block of text that is neither a link nor a heading. */
export interface Line {
  readonly text: string;
  readonly region: Region;
  readonly under: string | null;
  /** Number of its list or box on the page. */
  readonly list: number;
}

/** A JSON-LD or microdata item: its types, and its properties as texts and further items. */
export interface Thing {
  readonly types: readonly string[];
  readonly properties: Readonly<Record<string, readonly (string | Thing)[]>>;
  readonly from: "JSON-LD" | "microdata";
}

export interface PageFacts {
  readonly url: string;
  /** The two-letter code that the page itself states. */
  readonly language: string | null;
  readonly title: string;
  /** Contents of `<meta>` elements by name, in lower case. */
  readonly meta: Readonly<Record<string, string>>;
  /** Languages and regions of alternate versions, such as `cs` or `de-at`. */
  readonly alternates: readonly string[];
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly items: readonly Item[];
  readonly lines: readonly Line[];
  /** Alternative texts of logos, the most likely first. */
  readonly logos: readonly string[];
  readonly things: readonly Thing[];
  /** Visible text, one line per block. */
  readonly text: string;
  /** Lines in the footer or about copyright. */
  readonly small: readonly string[];
  readonly scripts: number;
  /** The address to which a page without content of its own forwards. */
  readonly forward: string | null;
}

/** The pages read from a site, starting with the requested one. */
export interface Site {
  readonly pages: readonly [PageFacts, ...PageFacts[]];
  /** The part of the domain that a company chooses: `woods` of `www.woods.co.uk`. Null if the host has no domain. */
  readonly label: string | null;
  /** The top-level domain. */
  readonly tld: string | null;
}
