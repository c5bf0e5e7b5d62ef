import ipaddr from "ipaddr.js";
import { net } from "../../platform/builtins.ts";
import { once } from "../../platform/once.ts";

/**
 * Non-public IPv4 ranges: all of IANA's special-purpose address registries (RFC 6890 and its updates) and multicast,
 * including the few that may be reachable, since no website is there.
 */

const ipv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // in no registry: the host agent of every Azure virtual machine
  "169.254.0.0/16", // link-local, metadata service of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // multicast tunnelling
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/**
 * The only part of IPv6 allocated as global unicast. Loopback, mapped, NAT64, local and multicast addresses lie outside
 * it.
 */
const globalUnicast = "2000::/3";
const ipv6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID and others
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const ranges = once(() => ({
  special4: ipv4.map((range) => ipaddr.IPv4.parseCIDR(range)),
  special6: ipv6.map((range) => ipaddr.IPv6.parseCIDR(range)),
  global6: ipaddr.IPv6.parseCIDR(globalUnicast),
}));

/** An ISATAP interface identifier (RFC 5214) embeds an IPv4 address: its sixth group is 5efe, the fifth 0 or 200. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

/**
 * Returns whether a text is an address of the public internet. Accepts the forms that a resolver or a URL gives;
 * anything else is not public.
 */
export function isPublicAddress(text: string): boolean {
  const version = net().isIP(text);
  if (version === 0 || text.includes("%")) return false;
  const { special4, special6, global6 } = ranges();
  if (version === 4) {
    const address = ipaddr.IPv4.parse(text);
    return !special4.some((range) => address.match(range));
  }
  const address = ipaddr.IPv6.parse(text);
  return address.match(global6) && !isIsatap(address) && !special6.some((range) => address.match(range));
}
