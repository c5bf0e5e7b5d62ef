import { html, Markup } from "../../accounts/pages/html.ts";
import { sha256 } from "../../platform/ids.ts";
import type { Block, Document, Section } from "../../products/documents/document.ts";
import { type Voice, voiceIn } from "../../products/documents/voice.ts";
import { barsPlot } from "./bars.ts";
import style from "./document.css" with { type: "text" };

/** Renders a document as a self-contained page: it loads nothing, so that it can be saved as a file and printed. */

/** Whether a text is a sentence, whose column must not become the narrowest. */
const isSentence = (text: string): boolean => text.length > 70;

/** Renders a cell. Only a word that fills a line, such as an address, may be broken anywhere. */
function cellOf(text: string): Markup {
  if (isSentence(text)) return html`<td class="sentence">${text}</td>`;
  return html`<td${/\S{25}/.test(text) && html` class="long"`}>${text}</td>`;
}

function tableOf({ caption, columns, rows }: Extract<Block, { kind: "table" }>): Markup {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>`);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function blockOf(block: Block): Markup {
  if (block.kind === "paragraph") return html`<p>${block.text}</p>`;
  if (block.kind === "list") return html`<ul>${block.items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return block.kind === "table" ? tableOf(block) : barsPlot(block);
}

const sectionOf = ({ heading, step, blocks }: Section, { say }: Voice): Markup =>
  html`<section><h2>${heading}</h2>${blocks.map(blockOf)}${step !== null && html`<p class="quiet">${say("from_step", { step })}</p>`}</section>
`;

/** Headers whose policy allows only the page's own style: no scripts, no other files, no framing. */
export const documentHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${sha256(style).toString("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Renders the whole page. */
export function documentPage({ language, title, subtitle, sections }: Document): string {
  const voice = voiceIn(language);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assay</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="quiet">${subtitle}</p>
${sections.map((section) => sectionOf(section, voice))}</main>
</body>
</html>
`.text;
}
