import { defineRoute, type Route } from "./define-route.ts";

/**
 * CORS headers for the protocols' endpoints and for the keys that verify tokens and receipts. Pages of any origin may
 * use them: they accept no cookies and are public.
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

/** Returns the route that answers a browser's preflight requests for a path. */
export const preflightRoute = (path: string): Route =>
  defineRoute({
    method: "OPTIONS",
    path,
    access: { credential: "none" },
    ownInput: {},
    detail: "hidden",
    handler: () => preflight(),
  });
