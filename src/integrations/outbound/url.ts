import { net } from "../../platform/builtins.ts";
import { once } from "../../platform/once.ts";
import { isPublicAddress } from "./addresses.ts";
import { OutboundError } from "./types.ts";

/** Checks that need only the URL itself. The URL parser has already normalised every notation of an IP address. */

const longestUrl = 8_192;
const portOf = { "http:": "80", "https:": "443" } as const;
const isWeb = (protocol: string): protocol is keyof typeof portOf => protocol in portOf;

/**
 * Domains of the public suffix list that are special nevertheless (RFC 6761's registry). Unlisted domains are rejected
 * anyway.
 */
const innerDomains = new Set(["arpa", "onion"]);
/** Cloud metadata services with public names. */
const metadataNames = new Set(["metadata.goog", "metadata.tencentyun.com", "metadata.packet.net"]);

/** The public suffix list, loaded at the first name because loading takes milliseconds that startup cannot spare. */
const suffixes = once((): typeof import("tldts") => require("tldts"));

/** Creates an error with a reason for the caller that supplied the address. */
export const notAllowed = (why: string): OutboundError => new OutboundError("url_not_allowed", why, false);

/** Returns the host as it is looked up and compared: without brackets and trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
/** Returns the port to connect to. */
export const effectivePort = ({ protocol, port }: URL): number =>
  Number(port || (isWeb(protocol) ? portOf[protocol] : ""));

/** Returns `host:port` in canonical form. Throws `TypeError` for anything else. */
export function authorityOf(text: string): string {
  const url = new URL(`http://${text}`);
  if (!/:\d+$/.test(text) || url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw new TypeError("not host:port");
  return `${hostOf(url)}:${effectivePort(url)}`;
}

function checkName(name: string): void {
  const labels = name.split(".");
  const isName = labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  if (!isName || name.length > 253) throw notAllowed("The address has no valid host name.");
  // A name outside the DNS root leads nowhere, or into a private network: `svc`, `consul`, `lan`.
  const isGivenOut = suffixes().parse(name, { validateHostname: false }).isIcann === true;
  if (labels.length < 2 || !isGivenOut || innerDomains.has(labels.at(-1) ?? "") || metadataNames.has(name))
    throw notAllowed("The host name is not public.");
}

export interface UrlRules {
  /** `host:port` entries that the operator has allowed inside the network. */
  readonly allowed: ReadonlySet<string>;
  /** Allowed ports of all other hosts. */
  readonly ports: ReadonlySet<number>;
}

/** Checks a parsed URL, and removes the trailing dot of its host. Throws `url_not_allowed`. */
export function checkParsed(url: URL, { allowed, ports }: UrlRules): URL {
  if (!isWeb(url.protocol)) throw notAllowed("Only http and https addresses are fetched.");
  if (url.username || url.password) throw notAllowed("An address with a user name or password is not fetched.");
  if (url.href.length > longestUrl) throw notAllowed("The address is too long.");
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname.endsWith(".")) throw notAllowed("The address has no valid host name.");
  url.hash = "";
  const host = hostOf(url);
  if (allowed.has(`${host}:${effectivePort(url)}`)) return url;
  if (!ports.has(effectivePort(url))) throw notAllowed("Only the ports 80 and 443 are fetched.");
  if (net().isIP(host) === 0) checkName(host);
  else if (!isPublicAddress(host)) throw notAllowed("The address is not public.");
  return url;
}

/** Parses and checks a URL that a user entered. Throws `url_not_allowed`. */
export function checkText(text: string, rules: UrlRules): URL {
  // Parsers disagree on these, so that the URL checked might not be the one fetched.
  const isPlain = !/[\p{Cc}\s\\]/u.test(text) && text.length <= longestUrl && /^https?:\/\/[^/]/i.test(text);
  const url = isPlain ? URL.parse(text) : null;
  if (!url) throw notAllowed("This is not an absolute http or https address.");
  return checkParsed(url, rules);
}
