import MarkdownIt, { type StateCore, type Token } from "markdown-it";
import { html, Markup } from "../../../accounts/pages/html.ts";
import { highlighted } from "./highlight.ts";

/** A heading listed in the page's table of contents. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly title: string;
}

export interface Rendered {
  readonly content: Markup;
  readonly headings: readonly Heading[];
}

/** Resolves the links in a page's text. */
export interface Links {
  /** Returns the relative address of a link's target. */
  readonly of: (target: string) => string;
  /** Returns the address for inline code that names an endpoint, an error or a page; undefined for other code. */
  readonly ofCode: (text: string) => string | undefined;
}

/** Returns a heading's id: its words in lower case, with a number appended if it is taken. */
function idOf(title: string, taken: Set<string>): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? ["section"];
  const base = words.join("-");
  let id = base;
  for (let i = 2; taken.has(id); i++) id = `${base}-${i}`;
  taken.add(id);
  return id;
}

const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .filter(({ type }) => type === "text" || type === "code_inline")
    .map(({ content }) => content)
    .join("");

/** Sets the headings' ids, and collects the headings of the second and third level. */
function markHeadings(tokens: readonly Token[]): Heading[] {
  const taken = new Set(["content", "menu"]);
  return tokens.flatMap((token, i) => {
    if (token.type !== "heading_open") return [];
    const title = textOf(tokens[i + 1]);
    const id = idOf(title, taken);
    token.attrSet("id", id);
    const level = Number(token.tag.slice(1));
    return level <= 3 ? [{ level, id, title }] : [];
  });
}

/** Marks column headings as such, and removes empty table heads. */
function markTables(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.type === "thead_open") {
      const end = tokens.findIndex(({ type }, at) => at > i && type === "thead_close");
      if (tokens.slice(i, end).every((part) => part.type !== "inline" || part.content === "")) {
        i = end;
        continue;
      }
    }
    if (token.type === "th_open") token.attrSet("scope", "col");
    kept.push(token);
  }
  return kept;
}

/** Splits a code block's info string into language and label: "ts TypeScript". */
function infoOf({ info }: Token): { readonly language: string; readonly label: string } {
  const [language = "", ...label] = info.trim().split(/\s+/);
  return { language, label: label.join(" ") };
}

/** Groups adjacent labelled code blocks as tabs. */
function markGroups(tokens: readonly Token[]): void {
  const isLabelled = (token: Token | undefined) => token?.type === "fence" && infoOf(token).label !== "";
  tokens.forEach((token, i) => {
    if (token.type !== "fence") return;
    const [before, here, after] = [tokens[i - 1], token, tokens[i + 1]].map(isLabelled);
    token.meta = { opens: !before && here && after, closes: before && here && !after };
  });
}

const names: Readonly<Record<string, string>> = {
  sh: "Shell",
  json: "JSON",
  toml: "TOML",
  yaml: "YAML",
  js: "JavaScript",
};

/** Renders a code block with its caption. The script adds the Copy button. */
function codeBlock(token: Token): Markup {
  const { language, label } = infoOf(token);
  const title = label || names[language];
  const code = token.content.replace(/\n$/, "");
  const marked = highlighted(code, language);
  return html`<div class="code"${label !== "" && html` data-tab="${label}"`}>
<div class="caption">${title ?? "Text"}</div>
<pre tabindex="0"><code>${marked === undefined ? code : new Markup(marked)}</code></pre>
</div>
`;
}

/** Links inline code to the page it names, and resolves the other links. */
function joinToOthers(state: StateCore): void {
  const { of, ofCode } = state.env.links as Links;
  state.tokens.forEach((token, i) => {
    if (token.type !== "inline" || !token.children) return;
    const isHeading = state.tokens[i - 1]?.type === "heading_open";
    let depth = 0;
    token.children = token.children.flatMap((child) => {
      depth += child.nesting;
      if (child.type === "link_open") child.attrSet("href", of(String(child.attrGet("href"))));
      const href = child.type === "code_inline" && depth === 0 && !isHeading ? ofCode(child.content) : undefined;
      if (href === undefined) return [child];
      const open = new state.Token("link_open", "a", 1);
      open.attrSet("href", href);
      return [open, child, new state.Token("link_close", "a", -1)];
    });
  });
}

const parser = new MarkdownIt({ html: false });
parser.core.ruler.push("links", joinToOthers);
const { rules } = parser.renderer;
rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";
rules.fence = (tokens, i) => {
  const token = tokens[i] as Token;
  const { opens, closes } = token.meta ?? {};
  return `${opens ? '<div class="tabs">\n' : ""}${codeBlock(token).text}${closes ? "</div>\n" : ""}`;
};
rules.heading_open = (tokens, i) => {
  const token = tokens[i] as Token;
  const id = String(token.attrGet("id"));
  return html`<${new Markup(token.tag)} id="${id}"><a class="anchor" href="#${id}">`.text;
};
rules.heading_close = (tokens, i) => `</a></${(tokens[i] as Token).tag}>\n`;

/** Renders a page's Markdown. Raw HTML in it is shown as text. */
export function render(markdown: string, links: Links): Rendered {
  const tokens = markTables(parser.parse(markdown, { links }));
  const headings = markHeadings(tokens);
  markGroups(tokens);
  return { content: new Markup(parser.renderer.render(tokens, parser.options, {})), headings };
}
