import { Type as T } from "@sinclair/typebox";
import icon from "swagger-ui-dist/favicon-32x32.png" with { type: "file" };
import swaggerUi from "swagger-ui-dist/package.json" with { type: "json" };
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { failure } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { prerender, respond } from "../../web/prerendered.ts";
import start from "./ui/start.js" with { type: "text" };

const script = "text/javascript; charset=utf-8";

const assets: Readonly<Record<string, { readonly body: () => string | Blob; readonly type: string }>> = {
  "swagger-ui.css": { body: () => Bun.file(styles), type: "text/css; charset=utf-8" },
  "swagger-ui-bundle.js": { body: () => Bun.file(bundle), type: script },
  "start.js": { body: () => start, type: script },
  "icon.png": { body: () => Bun.file(icon), type: "image/png" },
};

/** Other files have other addresses, so that each may be kept for a year. */
const edition = `${swaggerUi.version}-${sha256Hex(start).slice(0, 8)}`;
const at = (name: string): string => `/docs/assets/${edition}/${name}`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title>
<link rel="icon" type="image/png" href="${at("icon.png")}">
<link rel="stylesheet" href="${at("swagger-ui.css")}">
</head>
<body>
<main id="swagger-ui"></main>
<noscript>This page needs JavaScript. The same reference as text is at <a href="/llms.txt">/llms.txt</a>.</noscript>
<script src="${at("swagger-ui-bundle.js")}"></script>
<script src="${at("start.js")}"></script>
</body>
</html>
`;

/** Nothing from elsewhere, and no script but the two files; Swagger UI's pictures are data URLs in its style sheet. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const shown = prerender(page, "text/html; charset=utf-8");
const hidden = { access: { credential: "none" }, detail: "hidden" } as const;

/** Swagger UI over the served document, from files inside the executable: it works without a network. */
export const uiRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/docs",
    ...hidden,
    handler: ({ request }) => {
      const response = respond(request, shown);
      response.headers.set("content-security-policy", policy);
      response.headers.set("x-content-type-options", "nosniff");
      response.headers.set("referrer-policy", "no-referrer");
      return response;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/docs/assets/:edition/:name",
    ...hidden,
    params: T.Object({ edition: T.String(), name: T.String() }),
    handler: ({ params }) => {
      const asset = Object.hasOwn(assets, params.name) ? assets[params.name] : undefined;
      if (!asset || params.edition !== edition) throw failure("not_found");
      return new Response(asset.body(), {
        headers: {
          "content-type": asset.type,
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
        },
      });
    },
  }),
];
