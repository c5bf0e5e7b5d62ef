/** Where an authorization may lead back to (RFC 8252, OAuth 2.1, 8.4). */

const longest = 2_048;
/** No sign of an address (RFC 3986, 2), or one that parsers drop or bend. */
const misleading = /[^\x21-\x7e]|[\\"<>`{}|^]/;
/**
 * A program's own scheme, under a name of its maker's in reverse (`com.example.app:/…`, RFC 8252, 7.1). What has no dot is
 * the system's, a browser's or anybody's: `search-ms:`, `itms-services:`, `market:`.
 */
const privateUse = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/./;

/** Whether the host is this machine itself, as seen from the browser. */
export const isLoopbackHost = (host: string): boolean =>
  host === "127.0.0.1" || host === "[::1]" || host === "localhost";

/** https, http to the caller's own machine, or a program's own scheme with a dot; without fragment and credentials. */
export function isRedirectUri(given: string): boolean {
  if (given.length > longest || misleading.test(given) || given.includes("#")) return false;
  const url = URL.parse(given);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return /^https:\/\/[^/]/.test(given);
  if (url.protocol === "http:") return /^http:\/\/[^/]/.test(given) && isLoopbackHost(url.hostname);
  return privateUse.test(given);
}

/** Whether two addresses differ in nothing but the port on this machine, which a program gets afresh each time (RFC 8252, 7.3). */
function sameLoopback(registered: string, given: string): boolean {
  const [a, b] = [URL.parse(registered), URL.parse(given)];
  if (a === null || b === null || a.protocol !== "http:" || b.protocol !== "http:") return false;
  return isLoopbackHost(a.hostname) && a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

/** Whether the address is one of the client's: letter by letter, but for the port on loopback. */
export const isRegisteredRedirect = (registered: readonly string[], given: string): boolean =>
  isRedirectUri(given) && registered.some((one) => one === given || sameLoopback(one, given));

/** The address with parameters behind it. What stood there stays as it is. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

/** How a person is told where it leads: the host, or the program's scheme. */
export function redirectHost(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}
