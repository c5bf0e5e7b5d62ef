import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { failure } from "../../platform/errors.ts";
import { assets, edition, pageHeaders } from "./frame.ts";
import { languageOf, wordsIn } from "./language.ts";
import { type PageName, page, pages } from "./templates.ts";

/** The pages by which people sign up and in, and see their account. They use the public API and `/session` alone. */
export function pageRoutes({ access, redirects, external, browser }: Parts) {
  const hidden = { access: { credential: "none" as const }, detail: { hide: true } };
  const routes = new Elysia({ name: "pages", normalize: false }).use(access);

  function show(name: PageName, request: Request): Response {
    const language = languageOf(request.headers.get("accept-language"));
    const wanted = new URL(request.url).searchParams.get("redirect_to");
    const next = wanted === null ? undefined : redirects.allowed(wanted);
    const search = next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`;
    const provider = external.isOffered ? external.name : undefined;
    const setting = { language, words: wordsIn[language], provider, next: next ?? "account", search };
    return new Response(page(name, setting), { headers: pageHeaders(language) });
  }

  for (const name of Object.keys(pages) as PageName[])
    routes.get(
      `/${name}`,
      ({ request }) => {
        if (name !== "account" || browser.has(request)) return show(name, request);
        return new Response(null, { status: 302, headers: { location: "sign-in", "cache-control": "no-store" } });
      },
      hidden,
    );
  return routes.get(
    "/pages/assets/:edition/:name",
    ({ params }) => {
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
    hidden,
  );
}
