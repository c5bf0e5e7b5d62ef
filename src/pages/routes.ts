import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import { failure } from "../platform/errors.ts";
import { sha256Hex } from "../platform/ids.ts";
import icon from "./assets/icon.svg" with { type: "text" };
import style from "./assets/pages.css" with { type: "text" };
import script from "./assets/pages.js" with { type: "text" };
import { languageOf, wordsIn } from "./language.ts";
import { type PageName, page, pages } from "./templates.ts";

const assets: Readonly<Record<string, { readonly text: string; readonly type: string }>> = {
  "pages.css": { text: style, type: "text/css; charset=utf-8" },
  "pages.js": { text: script, type: "text/javascript; charset=utf-8" },
  "icon.svg": { text: icon, type: "image/svg+xml" },
};

/** Other files have other addresses, so that each may be kept for a year. */
const edition = sha256Hex(style + script + icon).slice(0, 12);
const at = (name: string): string => `pages/assets/${edition}/${name}`;

/** Nothing from elsewhere, nothing written into the page, and nobody's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Secrets of mailed links stay here; the pages' own requests still tell where they come from.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
  vary: "accept-language, cookie",
};

/** The pages by which people sign up and in, and see their account. They use the public API and `/session` alone. */
export function pageRoutes({ access, redirects, external, browser }: Parts) {
  const hidden = { access: { credential: "none" as const }, detail: { hide: true } };
  const links = { style: at("pages.css"), script: at("pages.js"), icon: at("icon.svg") };
  const routes = new Elysia({ name: "pages", normalize: false }).use(access);

  function show(name: PageName, request: Request): Response {
    const language = languageOf(request.headers.get("accept-language"));
    const wanted = new URL(request.url).searchParams.get("redirect_to");
    const next = wanted === null ? undefined : redirects.allowed(wanted);
    const search = next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`;
    const provider = external.isOffered ? external.name : undefined;
    const setting = { language, words: wordsIn[language], assets: links, provider, next: next ?? "account", search };
    return new Response(page(name, setting), { headers: { ...pageHeaders, "content-language": language } });
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
