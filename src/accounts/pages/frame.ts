import type { Language } from "../../integrations/mail/texts.ts";
import { sha256Hex } from "../../platform/ids.ts";
import icon from "./assets/icon.svg" with { type: "text" };
import style from "./assets/pages.css" with { type: "text" };
import script from "./assets/pages.js" with { type: "text" };
import tokens from "./assets/tokens.css" with { type: "text" };
import { html, type Markup } from "./html.ts";
import type { Words } from "./words/en.ts";

/** The files that pages load, by name. */
export const assets: Readonly<Record<string, { readonly text: string; readonly type: string }>> = {
  "pages.css": { text: tokens + style, type: "text/css; charset=utf-8" },
  "pages.js": { text: script, type: "text/javascript; charset=utf-8" },
  "icon.svg": { text: icon, type: "image/svg+xml" },
};

/** Part of the assets' URLs, changed with their content so that they can be cached for a year. */
export const edition = sha256Hex(tokens + style + script + icon).slice(0, 12);
const at = (name: string): string => `pages/assets/${edition}/${name}`;

/** The Content-Security-Policy: no external resources, no inline scripts or styles, no framing. */
const policy = (formAction: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/** Returns the headers of every page. `formAction` is where a form may lead, including its redirects. */
export const pageHeaders = (language: Language, formAction = "'self'"): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy(formAction),
  "content-language": language,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Keeps the secrets of mailed links on this site, while same-site requests still send their origin.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
  vary: "accept-language, cookie",
});

export interface Frame {
  readonly language: Language;
  readonly words: Words;
  readonly title: string;
  /** The body's class, which the style sheet uses to distinguish pages. */
  readonly name: string;
  readonly content: Markup;
  /** The relative path from the page to the installation's root: empty, or `../`. */
  readonly root: string;
  /** The texts passed to the script; if absent, the page has no script. */
  readonly spoken?: string;
  /** Another script than the account pages' own, relative to the installation's root. */
  readonly script?: string;
  /** Whether to show a notice if JavaScript is off. */
  readonly needsScript?: boolean;
}

/** Renders a whole page. Links are relative, so that it also works below a proxy's path. */
export function frame(page: Frame): string {
  const {
    language,
    words,
    title,
    name,
    content,
    root,
    spoken,
    script: own = at("pages.js"),
    needsScript = false,
  } = page;
  const hasScript = spoken !== undefined;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Assay</title>
<link rel="icon" href="${root}${at("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${root}${at("pages.css")}">
${hasScript && html`<script type="module" src="${root}${own}"></script>`}
</head>
<body class="${name}"${hasScript && html` data-words="${spoken}"`}>
<main>
<p class="brand">Assay</p>
<h1>${title}</h1>
${content}
${needsScript && html`<noscript><p class="message">${words.no_script}</p></noscript>`}
</main>
<footer><a href="${root}docs">${words.reference}</a></footer>
</body>
</html>
`.text;
}
