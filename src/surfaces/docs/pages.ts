import { Type as T } from "@sinclair/typebox";
import { failure } from "../../platform/errors.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { type Prerendered, respond } from "../../web/prerendered.ts";
import type { Docs } from "./service.ts";

const hidden = { access: { credential: "none" }, detail: "hidden" } as const;

/** Splits a name in an address into the page's name and whether its Markdown is requested. */
function named(text: string): { readonly name: string; readonly isMarkdown: boolean } {
  const isMarkdown = text.endsWith(".md");
  return { name: isMarkdown ? text.slice(0, -3) : text, isMarkdown };
}

/** Responds with the page, or with 404 and the page that reports it missing. */
function shown(request: Request, page: Prerendered | undefined, missing: () => Prerendered): Response {
  if (page) return respond(request, page);
  const { bytes, headers } = missing();
  return new Response(bytes, { status: 404, headers });
}

const wholePage = (site: Docs["site"], path: string): Route =>
  defineRoute({
    method: "GET",
    path: `/${path}`,
    ...hidden,
    handler: async ({ request }) => {
      const made = await site();
      return shown(request, made.whole(path), () => made.missing(path, path));
    },
  });

/** The routes of the documentation site. Its pages work without a script. */
export const sitePages = ({ site }: Pick<Docs, "site">): Route[] => [
  wholePage(site, "docs"),
  wholePage(site, "docs/reference"),
  wholePage(site, "docs/api"),
  defineRoute({
    method: "GET",
    path: "/docs/search",
    ...hidden,
    handler: async ({ request }) =>
      respond(request, (await site()).search(new URL(request.url).searchParams.get("q") ?? "")),
  }),
  defineRoute({
    method: "GET",
    path: "/docs/:slug",
    ...hidden,
    params: T.Object({ slug: T.String() }),
    handler: async ({ params, request }) => {
      const made = await site();
      const { name, isMarkdown } = named(params.slug);
      const page = isMarkdown ? made.markdown(name) : made.guide(name);
      return shown(request, page, () => made.missing("docs/x", name));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/docs/reference/:operation",
    ...hidden,
    params: T.Object({ operation: T.String() }),
    handler: async ({ params, request }) => {
      const made = await site();
      const { name, isMarkdown } = named(params.operation);
      const page = isMarkdown ? made.operationMarkdown(name) : made.operation(name);
      return shown(request, page, () => made.missing("docs/reference/x", name));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/docs/api/:operation",
    ...hidden,
    params: T.Object({ operation: T.String() }),
    handler: async ({ params, request }) => {
      const made = await site();
      return shown(request, made.tryIt(params.operation), () => made.missing("docs/api/x", params.operation));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/docs/assets/:edition/:name",
    ...hidden,
    params: T.Object({ edition: T.String(), name: T.String() }),
    handler: async ({ params }) => {
      const { assetOf } = await import("./site/assets.ts");
      const asset = assetOf(params.edition, params.name);
      if (!asset) throw failure("not_found");
      return asset;
    },
  }),
];
