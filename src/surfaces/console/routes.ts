import { Type as T } from "@sinclair/typebox";
import type { BrowserSessions } from "../../accounts/auth/cookies.ts";
import { failure } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { isHeld } from "../../web/prerendered.ts";
import { consolePage } from "./page.ts";
import { createProgram, type Program } from "./program.ts";

/** Services used by the console's routes. */
interface ConsoleServices {
  readonly browser: Pick<BrowserSessions, "has">;
  readonly runtime: Pick<Runtime, "randomBytes">;
  readonly baseUrl: string;
}

const hidden = { access: { credential: "none" }, detail: "hidden" } as const;

/** The bundle's files. A name contains a digest of the content, so that the file can be cached for a year. */
const assetRoute = (program: Program): Route =>
  defineRoute({
    method: "GET",
    path: "/console/assets/:name",
    ...hidden,
    params: T.Object({ name: T.String({ maxLength: 200 }) }),
    handler: async ({ params, request }) => {
      const found = await program.file(params.name, request.headers.get("accept-encoding"));
      if (!found) throw failure("not_found");
      const { body, encoding, type, etag } = found;
      const headers = new Headers({
        etag,
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        vary: "accept-encoding",
      });
      if (isHeld(request, etag)) return new Response(null, { status: 304, headers });
      if (encoding !== "identity") headers.set("content-encoding", encoding);
      return new Response(body, { headers });
    },
  });

/**
 * The console's pages. People who are not signed in are redirected to the sign-in page, and then back to the same
 * address.
 */
function shell({ browser, runtime, baseUrl }: ConsoleServices, program: Program): Route[] {
  const installed = new URL(baseUrl).pathname.replace(/\/$/, "");
  const handler = async ({ request }: { request: Request }): Promise<Response> => {
    if (browser.has(request)) return consolePage(await program.contents(), installed, request, runtime);
    const { pathname, search } = new URL(request.url);
    const location = `${installed}/sign-in?redirect_to=${encodeURIComponent(baseUrl + pathname + search)}`;
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  };
  return ["/console", "/console/*"].map((path) => defineRoute({ method: "GET", path, ...hidden, handler }));
}

/** The console's routes: one page for all addresses below `/console`, and the bundle's files. */
export function consoleRoutes(services: ConsoleServices): Route[] {
  const program = createProgram();
  return [assetRoute(program), ...shell(services, program)];
}
