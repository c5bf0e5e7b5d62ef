import { frame, pageHeaders } from "./frame.ts";
import { html } from "./html.ts";
import { languageOf, wordsIn } from "./language.ts";

/** Addresses below these are a program's, even if a browser opens them. */
const programs = /^\/(?:v1|auth\/v1|mcp)(?:\/|$)/;

/**
 * Returns a function that responds to a browser at an unknown address of the installation with a page. It returns
 * undefined for requests that don't ask for HTML, and for addresses of the API.
 */
export function missingPage(baseUrl: string): (request: Request) => Response | undefined {
  const root = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/`;
  return ({ method, url, headers }) => {
    const isBrowser = method === "GET" && /\btext\/html\b/i.test(headers.get("accept") ?? "");
    if (!isBrowser || programs.test(new URL(url).pathname)) return undefined;
    const language = languageOf(headers.get("accept-language"));
    const words = wordsIn[language];
    const content = html`<p class="lead">${words.missing_lead}</p>
<p class="links"><a class="primary" href="${root}">${words.missing_home}</a></p>`;
    return new Response(frame({ language, words, title: words.missing, name: "landing", content, root }), {
      status: 404,
      headers: { ...pageHeaders(language), vary: "accept, accept-language" },
    });
  };
}
