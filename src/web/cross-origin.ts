import { defineRoute, type Route } from "./define-route.ts";

/**
 * Programs in a browser may use the protocols' endpoints, and the keys that tokens and receipts are checked with, from
 * any page: none of them goes by a cookie, and all of them are public.
 */
export const crossOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, www-authenticate, x-request-id",
} as const;

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...crossOrigin,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      "access-control-max-age": "86400",
    },
  });

/** What browsers ask before they let a page's script send a request. */
export const preflightRoute = (path: string): Route =>
  defineRoute({
    method: "OPTIONS",
    path,
    access: { credential: "none" },
    ownInput: {},
    detail: "hidden",
    handler: () => preflight(),
  });
