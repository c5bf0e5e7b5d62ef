import { failure } from "../../platform/errors.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import { frame, pageHeaders } from "./frame.ts";
import { html, type Markup } from "./html.ts";
import { languageOf, wordsIn } from "./language.ts";
import { landingWordsIn } from "./words/landing.ts";

/** What the page at `/` is served by. */
export interface LandingServices {
  readonly browser: Pick<BrowserSessions, "has">;
  readonly signUpMode: SignUpMode;
  readonly baseUrl: string;
}

function content({ signUpMode, baseUrl }: LandingServices, language: ReturnType<typeof languageOf>): Markup {
  const [words, said] = [wordsIn[language], landingWordsIn[language]];
  // Without it both lead to the account, where nothing can be tried.
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

/** Whether the caller wants data and no page: it is told, as everywhere else, that there is nothing of this name. */
const wantsData = (accept: string): boolean =>
  /\bapplication\/([\w.]+\+)?json\b/i.test(accept) && !/text\/html/i.test(accept);

/**
 * `/`: leads to the console where a session is there, and otherwise says what this is, where to sign in, and where to
 * read on. It works without a script.
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
