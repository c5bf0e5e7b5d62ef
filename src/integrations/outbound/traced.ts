import type { Tracing } from "../../platform/tracing.ts";
import type { Outbound } from "./types.ts";

/**
 * Wraps an outbound with a span for each request. Only method and host are recorded, since paths may contain caller
 * data.
 */
export const tracedOutbound = (outbound: Outbound, tracing: Tracing): Outbound => ({
  checkUrl: (text) => outbound.checkUrl(text),
  fetch(url, request) {
    const method = request.method ?? "GET";
    const host = URL.parse(String(url))?.host ?? "";
    const attributes = { "http.request.method": method, "server.address": host };
    return tracing.span("provider", `${method} ${host}`, attributes, () => outbound.fetch(url, request));
  },
});
