/** Redirect URIs (RFC 8252; OAuth 2.1, 8.4). */

const longest = 2_048;
/** Characters that are not allowed in a URL (RFC 3986, 2), or that parsers drop or rewrite. */
const misleading = /[^\x21-\x7e]|[\\"<>`{}|^]/;
/**
 * A program's private-use scheme, in reverse domain notation (`com.example.app:/…`, RFC 8252, 7.1). A scheme without a
 * dot belongs to the system, a browser or anyone: `search-ms:`, `itms-services:`, `market:`.
 */
const privateUse = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/./;

/** Returns whether the host is the browser's own machine. */
export const isLoopbackHost = (host: string): boolean =>
  host === "127.0.0.1" || host === "[::1]" || host === "localhost";

/**
 * Returns whether a redirect URI is acceptable: https, http to the person's own machine, or a private-use scheme with a
 * dot; without fragment and credentials.
 */
export function isRedirectUri(given: string): boolean {
  if (given.length > longest || misleading.test(given) || given.includes("#")) return false;
  const url = URL.parse(given);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return /^https:\/\/[^/]/.test(given);
  if (url.protocol === "http:") return /^http:\/\/[^/]/.test(given) && isLoopbackHost(url.hostname);
  return privateUse.test(given);
}

/**
 * Returns whether two loopback URLs differ at most in their port, which a program gets from the system at each start
 * (RFC 8252, 7.3).
 */
function sameLoopback(registered: string, given: string): boolean {
  const [a, b] = [URL.parse(registered), URL.parse(given)];
  if (a === null || b === null || a.protocol !== "http:" || b.protocol !== "http:") return false;
  return isLoopbackHost(a.hostname) && a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

/** Returns whether the URI is one of the client's: an exact match, except for the port on loopback. */
export const isRegisteredRedirect = (registered: readonly string[], given: string): boolean =>
  isRedirectUri(given) && registered.some((one) => one === given || sameLoopback(one, given));

/** Appends parameters to a URI, leaving the rest unchanged. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

/** Returns the redirect target as shown to a person: the host, or the program's scheme. */
export function redirectHost(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}
