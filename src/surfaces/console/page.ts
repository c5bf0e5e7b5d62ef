import { edition, pageHeaders } from "../../accounts/pages/frame.ts";
import { html } from "../../accounts/pages/html.ts";
import { languageOf, wordsIn } from "../../accounts/pages/language.ts";
import { randomBase62 } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Contents } from "./archive.ts";

/** The content security policy: only our own scripts and styles, styles added under the nonce, and `data:` images. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/**
 * Returns the HTML page for every address below `/console`. `path` is the installation's base path, without a trailing
 * slash. The scripts read the path and the nonce from the `program` meta element.
 */
export function consolePage(contents: Contents, path: string, request: Request, random: Pick<Runtime, "randomBytes">) {
  const language = languageOf(request.headers.get("accept-language"));
  const nonce = randomBase62(random, 22);
  const at = (name: string): string => `${path}/console/assets/${name}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Assay</title>
<link rel="icon" href="${path}/pages/assets/${edition}/icon.svg" type="image/svg+xml">
${contents.styles.map((name) => html`<link rel="stylesheet" href="${at(name)}">`)}
${contents.preloads.map((name) => html`<link rel="modulepreload" href="${at(name)}">`)}
<meta name="program" content="${path}" nonce="${nonce}">
${contents.scripts.map((name) => html`<script type="module" src="${at(name)}"></script>`)}
</head>
<body>
<div id="console"><div class="boot"><div class="boot-side">Assay</div><div class="boot-page"><div></div><div></div><div></div></div></div></div>
<noscript><p>${wordsIn[language].no_script}</p></noscript>
</body>
</html>
`.text;
  return new Response(page, {
    headers: { ...pageHeaders(language), "content-security-policy": policy(nonce) },
  });
}
