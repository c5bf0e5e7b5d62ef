import { Type as T } from "@sinclair/typebox";
import { frame, pageHeaders } from "../../accounts/pages/frame.ts";
import { html } from "../../accounts/pages/html.ts";
import { languageOf, wordsIn } from "../../accounts/pages/language.ts";
import type { Language } from "../../integrations/mail/texts.ts";
import { failure } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { receiptType } from "../../runs/schema.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { type Prerendered, prerender, respond } from "../../web/prerendered.ts";
import script from "./assets/check.js" with { type: "text" };
import { receiptWordsIn } from "./words.ts";

const hidden = { access: { credential: "none" }, detail: "hidden" } as const;
/** A digest of the script, used in its address so that it can be cached for a year. */
const edition = sha256Hex(script).slice(0, 12);
/** Relative path from the page's folder to the installation's root. */
const root = "../";

function render(language: Language): Prerendered {
  const words = receiptWordsIn[language];
  const content = html`<p class="lead">${words.lead}</p>
<form data-type="${receiptType}" data-keys="${root}.well-known/jwks.json" novalidate>
<div class="field" hidden data-scripted>
<label for="receipt">${words.field}</label>
<textarea id="receipt" rows="6" spellcheck="false" autocomplete="off" autocapitalize="none" aria-describedby="receipt-hint"></textarea>
<p class="hint" id="receipt-hint">${words.hint}</p>
</div>
<div class="field" hidden data-scripted>
<label for="file">${words.file}</label>
<input id="file" type="file" accept=".jws,.jwt,.txt,application/jose,text/plain">
</div>
<button type="submit" class="primary" hidden data-scripted>${words.action}</button>
</form>
<section id="outcome" tabindex="-1" aria-label="${words.title}" hidden>
<p data-verdict role="status"></p>
<dl class="facts"></dl>
<details hidden><summary>${words.whole}</summary><pre tabindex="0"><code></code></pre></details>
</section>`;
  const page = frame({
    ...{ language, words: wordsIn[language], title: words.title, name: "console receipt", content, root },
    spoken: JSON.stringify(words),
    script: `receipts/assets/${edition}/check.js`,
    needsScript: true,
  });
  const rendered = prerender(page, "text/html; charset=utf-8");
  const headers = { ...pageHeaders(language), "cache-control": "no-cache", vary: "accept-language" };
  for (const [name, value] of Object.entries(headers)) rendered.headers.set(name, value);
  return rendered;
}

const rendered = new Map<Language, Prerendered>();

/** The public page on which anyone can check a receipt, and its script. */
export const receiptRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/receipts/check",
    ...hidden,
    handler({ request }) {
      const language = languageOf(request.headers.get("accept-language"));
      const page = rendered.get(language) ?? render(language);
      rendered.set(language, page);
      return respond(request, page);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/receipts/assets/:edition/check.js",
    ...hidden,
    params: T.Object({ edition: T.String() }),
    handler({ params }) {
      if (params.edition !== edition) throw failure("not_found");
      return new Response(script, {
        headers: {
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
        },
      });
    },
  }),
];
