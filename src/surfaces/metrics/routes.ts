import { timingSafeEqual } from "node:crypto";
import type { Store } from "../../../db/store.ts";
import type { Computing } from "../../contracts/computing.ts";
import type { Worker } from "../../execution/worker.ts";
import { failure } from "../../platform/errors.ts";
import { exposition } from "../../platform/exposition.ts";
import { sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { AttemptGuard } from "../../web/attempts.ts";
import { clientAddress } from "../../web/client-address.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { currentFigures } from "./figures.ts";
import { measureLoopDelay } from "./loop-delay.ts";
import type { RequestFigures } from "./requests.ts";

interface MetricsRoutesServices {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly worker: Worker;
  readonly passwords: { load(): { readonly active: number } };
  readonly computing: Computing;
  readonly attempts: AttemptGuard;
  readonly requests: RequestFigures;
  readonly baseUrl: string;
}

const loopback = /^(127\.|::1$)/;
const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;
/** Headers added by proxies. With one of them, the loopback address is the proxy's, not the client's. */
const proxied = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

const digest = (text: string): Buffer => Buffer.from(sha256Hex(text), "hex");

/** Whether the request comes from a program on this machine, without a proxy. */
function isLocal(request: Request): boolean {
  const { headers } = request;
  const asksHere = loopbackHost.test(headers.get("host") ?? "");
  return asksHere && loopback.test(clientAddress(request)) && !proxied.some((name) => headers.has(name));
}

/**
 * `/metrics` for Prometheus: with the token if one is configured, else only from this machine. A server with a public
 * address may be behind a proxy that adds no header, so it always requires the token.
 */
export function metricsRoutes(services: MetricsRoutesServices, token: string | undefined): Route[] {
  const { runtime, attempts, requests, baseUrl } = services;
  const delay = measureLoopDelay(runtime);
  const started_at_ms = runtime.now();
  const isPublic = !loopbackHost.test(new URL(baseUrl).host);

  function permit(request: Request): void {
    if (token === undefined && !isPublic && isLocal(request)) return;
    const given = /^bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token !== undefined && given !== undefined && timingSafeEqual(digest(given), digest(token))) return;
    // Rate-limits wrong tokens per address. A correct token is accepted before this check.
    attempts.check(clientAddress(request));
    if (given !== undefined) attempts.count(clientAddress(request));
    throw failure("invalid_api_key");
  }

  return [
    defineRoute({
      method: "GET",
      path: "/metrics",
      access: { credential: "none", ownToken: true },
      detail: "hidden",
      handler: async ({ request }) => {
        permit(request);
        const current = await currentFigures({ ...services, started_at_ms });
        return new Response(exposition([...requests.families(), delay.family(), ...current]), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
        });
      },
    }),
  ];
}
