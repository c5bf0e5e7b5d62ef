import { net } from "../platform/builtins.ts";
import { contextOf } from "./request-context.ts";

/** Normalises IPv4 addresses: dual-stack sockets report them embedded in IPv6. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * Returns a request's origin: the socket's peer or, behind the operator's own proxies, the last address in
 * `X-Forwarded-For` that is not one of them. Anything before that address may be forged.
 */
export function originAddress(peer: string, forwarded: string | null, proxies: readonly string[]): string {
  let origin = plain(peer);
  for (const hop of (forwarded ?? "").split(",").reverse()) {
    if (!proxies.includes(origin) || net().isIP(plain(hop)) === 0) break;
    origin = plain(hop);
  }
  return origin;
}

/** Returns the request's origin, or an empty text if there is no socket (a request made in a test). */
export const clientAddress = (request: Request): string => contextOf(request).address?.() ?? "";
