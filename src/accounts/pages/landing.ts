import { failure } from "../../platform/errors.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import { frame, pageHeaders } from "./frame.ts";
import { html, type Markup } from "./html.ts";
import { languageOf, wordsIn } from "./language.ts";
import { landingWordsIn } from "./words/landing.ts";

/** Services used by the page at `/`. */
export interface LandingServices {
  readonly browser: Pick<BrowserSessions, "has">;
  readonly signUpMode: SignUpMode;
  readonly baseUrl: string;
}

function content({ signUpMode, baseUrl }: LandingServices, language: ReturnType<typeof languageOf>): Markup {
  const [words, said] = [wordsIn[language], landingWordsIn[language]];
  // Without it both links would lead to the account page, where nothing can be tried out.
  const search = `?redirect_to=${encodeURIComponent(`${baseUrl}/console`)}`;
  return html`<p class="lead">${said.lead}</p>
<ul>
<li>${said.price}</li>
<li>${said.people}</li>
<li>${said.proof}</li>
</ul>
<p class="links"><a class="primary" href="sign-in${search}">${words.sign_in_action}</a>${
    signUpMode === "open" && html` <a href="sign-up${search}">${words.sign_up_action}</a>`
  }</p>
<h2>${said.read}</h2>
<p><a href="docs">${said.guides}</a> · <a href="docs/api">${said.api}</a></p>
<h2>${said.mcp}</h2>
<p class="hint">${said.mcp_lead}</p>
<p class="address"><code>${baseUrl}/mcp</code></p>`;
}

/** Returns whether the caller wants data rather than a page, and so gets the usual `not_found`. */
const wantsData = (accept: string): boolean =>
  /\bapplication\/([\w.]+\+)?json\b/i.test(accept) && !/text\/html/i.test(accept);

/**
 * The page at `/`: redirects to the console if there is a session; otherwise presents the product, with links to sign
 * in and to the documentation. It works without JavaScript.
 */
export const landingRoute = (services: LandingServices): Route =>
  defineRoute({
    method: "GET",
    path: "/",
    access: { credential: "none" },
    detail: "hidden",
    handler: ({ request }) => {
      if (wantsData(request.headers.get("accept") ?? "")) throw failure("not_found");
      if (services.browser.has(request))
        return new Response(null, { status: 302, headers: { location: "console", "cache-control": "no-store" } });
      const language = languageOf(request.headers.get("accept-language"));
      const page = {
        ...{ language, words: wordsIn[language], title: landingWordsIn[language].title, name: "landing" },
        ...{ content: content(services, language), root: "" },
      };
      return new Response(frame(page), {
        headers: { ...pageHeaders(language), vary: "accept, accept-language, cookie" },
      });
    },
  });
