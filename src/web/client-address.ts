import { net } from "../platform/builtins.ts";
import { contextOf } from "./request-context.ts";

/** IPv4 addresses have one spelling: sockets that take both families report them inside an IPv6 one. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * Where a request comes from: the other end of the socket, or, through the operator's own proxies, the last address in
 * `X-Forwarded-For` that is none of them. What comes before that one, anybody may have written.
 */
export function originAddress(peer: string, forwarded: string | null, proxies: readonly string[]): string {
  let origin = plain(peer);
  for (const hop of (forwarded ?? "").split(",").reverse()) {
    if (!proxies.includes(origin) || net().isIP(plain(hop)) === 0) break;
    origin = plain(hop);
  }
  return origin;
}

/** Where the request comes from; empty where there is no socket (a request made in a test). */
export const clientAddress = (request: Request): string => contextOf(request).address?.() ?? "";
