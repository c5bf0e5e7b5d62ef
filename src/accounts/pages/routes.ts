import { Type as T } from "@sinclair/typebox";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { failure } from "../../platform/errors.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { ExternalSignIn } from "../auth/external.ts";
import type { Redirects } from "../auth/external-redirect.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import { assets, edition, pageHeaders } from "./frame.ts";
import { languageOf, wordsIn } from "./language.ts";
import { type PageName, page, pages } from "./templates.ts";

/** What the pages are served by. */
interface PageRoutesServices {
  readonly browser: BrowserSessions;
  readonly external: ExternalSignIn;
  readonly redirects: Redirects;
  readonly mailer: Pick<Mailer, "isConfigured">;
  readonly signUpMode: SignUpMode;
}

const hidden = { access: { credential: "none" }, detail: "hidden" } as const;

/** Scripts and styles: another edition has other addresses, so that each may be kept for a year. */
const assetRoute = defineRoute({
  method: "GET",
  path: "/pages/assets/:edition/:name",
  ...hidden,
  params: T.Object({ edition: T.String(), name: T.String() }),
  handler: ({ params }) => {
    const asset = Object.hasOwn(assets, params.name) ? assets[params.name] : undefined;
    if (!asset || params.edition !== edition) throw failure("not_found");
    return new Response(asset.text, {
      headers: {
        "content-type": asset.type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      },
    });
  },
});

/** The pages by which people sign up and in, and see their account. They use the public API and `/session` alone. */
export function pageRoutes({ redirects, external, browser, mailer, signUpMode }: PageRoutesServices): Route[] {
  function show(name: PageName, request: Request): Response {
    const language = languageOf(request.headers.get("accept-language"));
    const query = new URL(request.url).searchParams;
    const wanted = query.get("redirect_to");
    const maySignUp = signUpMode === "open" || (signUpMode === "invited" && query.has("invite"));
    const next = wanted === null ? undefined : redirects.allowed(wanted);
    const search = next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`;
    const provider = external.isOffered ? external.name : undefined;
    const setting = {
      ...{ language, words: wordsIn[language], provider, next: next ?? "account", search, maySignUp },
      sendsMail: mailer.isConfigured,
    };
    return new Response(page(name, setting), { headers: pageHeaders(language) });
  }

  const shown = (Object.keys(pages) as PageName[]).map((name) =>
    defineRoute({
      method: "GET",
      path: `/${name}`,
      ...hidden,
      handler: ({ request }) => {
        if (name !== "account" || browser.has(request)) return show(name, request);
        return new Response(null, { status: 302, headers: { location: "sign-in", "cache-control": "no-store" } });
      },
    }),
  );
  return [...shown, assetRoute];
}
