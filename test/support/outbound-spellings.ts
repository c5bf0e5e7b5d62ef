import ipaddr from "ipaddr.js";

/** Every way in which some parser reads an address, for the guard's tests. */

/** The first, a middle and the last address of each range in IANA's special-purpose registry, by name. */
export const special4: Readonly<Record<string, readonly string[]>> = {
  "this network": ["0.0.0.0", "0.0.0.1", "0.255.255.255"],
  private: ["10.0.0.0", "10.11.12.13", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1"],
  "carrier NAT": ["100.64.0.0", "100.100.100.200", "100.127.255.255"],
  loopback: ["127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255"],
  "link-local": ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
  "protocol assignments": ["192.0.0.0", "192.0.0.8", "192.0.0.170", "192.0.0.192", "192.0.0.255"],
  documentation: ["192.0.2.0", "192.0.2.255", "198.51.100.1", "203.0.113.255"],
  "AS112 and relays": ["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1"],
  benchmarks: ["198.18.0.0", "198.19.255.255"],
  multicast: ["224.0.0.1", "239.255.255.255"],
  reserved: ["240.0.0.0", "255.255.255.254"],
  broadcast: ["255.255.255.255"],
  "a cloud's host agent": ["168.63.129.16"],
};

export const special6: Readonly<Record<string, readonly string[]>> = {
  unspecified: ["::"],
  loopback: ["::1"],
  "local-use NAT64": ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  NAT64: ["64:ff9b::808:808", "64:ff9b::"],
  "discard and dummy": ["100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::1"],
  "protocol assignments": [
    "2001::",
    "2001:1::1",
    "2001:1::2",
    "2001:2::",
    "2001:3::",
    "2001:4:112::",
    "2001:1ff:ffff::",
  ],
  ORCHID: ["2001:10::", "2001:1f:ffff::", "2001:20::", "2001:2f:ffff::", "2001:30::"],
  documentation: ["2001:db8::", "2001:db8:ffff::1", "3fff::", "3fff:fff:ffff::1"],
  AS112: ["2620:4f:8000::1"],
  "segment routing": ["5f00::", "5f00:ffff::1"],
  "unique local": ["fc00::", "fd00:ec2::254", "fdff:ffff:ffff::1"],
  "link-local": ["fe80::1", "febf:ffff::1"],
  "site-local": ["fec0::1", "feff::1"],
  multicast: ["ff00::", "ff02::1", "ff0e::1"],
  "never assigned": ["4000::1", "8000::1", "c000::1", "f000::1", "1::1", "::2"],
};

/** Public addresses, including those adjacent to the special ranges. */
export const public4 = (
  "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 " +
  "168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 " +
  "192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255"
).split(" ");
export const public6 =
  "2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 2001:db7:ffff::1 2001:db9::1 2003::1 2620:4f:8001::1 3ffe:ffff::1".split(
    " ",
  );

const number32 = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number): string => `0x${value.toString(16)}`;
const octal = (value: number): string => `0${value.toString(8)}`;
const wide = (text: string): string => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (text: string): string =>
  text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1));
const group = (high: number, low: number): string => ((high << 8) | low).toString(16);

/** Returns hosts that all denote this IPv4 address, by the name of the trick. */
export function spellings4(address: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const bytes = [a, b, c, d];
  const all = number32(bytes);
  const low16 = number32([c, d]);
  const low24 = number32([b, c, d]);
  const high = group(a, b);
  const low = group(c, d);
  return {
    "dotted decimal": address,
    "one decimal number": String(all),
    "one hexadecimal number": hex(all),
    "one hexadecimal number, upper case": `0X${all.toString(16).toUpperCase()}`,
    "one octal number": octal(all),
    "one octal number, padded": `0000000${all.toString(8)}`,
    "dotted hexadecimal": bytes.map(hex).join("."),
    "dotted octal": bytes.map(octal).join("."),
    "dotted octal, padded": bytes.map((byte) => `00${octal(byte)}`).join("."),
    "a mix of bases": `${hex(a)}.${octal(b)}.${c}.${hex(d)}`,
    "two parts": `${a}.${low24}`,
    "two parts, hexadecimal": `${hex(a)}.${hex(low24)}`,
    "three parts": `${a}.${b}.${low16}`,
    "three parts, octal": `${octal(a)}.${octal(b)}.${octal(low16)}`,
    "a dot at the end": `${address}.`,
    "a number and a dot at the end": `${all}.`,
    "full-width digits": wide(address),
    "circled digits": circled(address),
    "ideographic full stops": address.replaceAll(".", "。"),
    "half-width full stops": address.replaceAll(".", "｡"),
    "full-width full stops": address.replaceAll(".", "．"),
    "percent-encoded": [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
    "percent-encoded dots": address.replaceAll(".", "%2E"),
    "soft hyphens between": address.replaceAll(".", "\u00ad."),
    "mapped into IPv6": `[::ffff:${address}]`,
    "mapped into IPv6, hexadecimal": `[::ffff:${high}:${low}]`,
    "mapped into IPv6, written out": `[0:0:0:0:0:FFFF:${high}:${low}]`,
    "translated into IPv6": `[::ffff:0:${high}:${low}]`,
    "compatible IPv6": `[::${address}]`,
    "compatible IPv6, hexadecimal": `[::${high}:${low}]`,
    NAT64: `[64:ff9b::${address}]`,
    "NAT64, hexadecimal": `[64:ff9b::${high}:${low}]`,
    "local-use NAT64": `[64:ff9b:1::${address}]`,
    "6to4": `[2002:${high}:${low}::1]`,
    "Teredo, its server": `[2001:0:${high}:${low}::1]`,
    "Teredo, its client": `[2001::${group(a ^ 255, b ^ 255)}:${group(c ^ 255, d ^ 255)}]`,
    ISATAP: `[2001:4860::5efe:${high}:${low}]`,
    "ISATAP, universal": `[2001:4860::200:5efe:${address}]`,
    "ISATAP, link-local": `[fe80::5efe:${address}]`,
  };
}

/** Returns hosts that all denote this IPv6 address. */
export function spellings6(address: string): Record<string, string> {
  const parsed = ipaddr.IPv6.parse(address);
  return {
    short: `[${address}]`,
    "upper case": `[${address.toUpperCase()}]`,
    "written out": `[${parsed.toNormalizedString()}]`,
    padded: `[${parsed.parts.map((part) => part.toString(16).padStart(4, "0")).join(":")}]`,
    "with a zone": `[${address}%1]`,
    "with an encoded zone": `[${address}%25eth0]`,
  };
}

/** Names that no public name server resolves, or that lead into a cloud's internal network. */
export const innerNames = (
  "localhost LOCALHOST localhost. a.localhost localhost.localdomain intranet router printer.local box.lan nas.home " +
  "db.internal metadata.google.internal metadata.google.internal. METADATA.Google.Internal metadata metadata.goog " +
  "instance-data.ec2.internal kubernetes.default.svc.cluster.local vault.corp x.private y.intranet host.docker.internal " +
  "a.home.arpa 1.0.0.127.in-addr.arpa hidden.onion thing.test thing.invalid thing.example name.alt api.default.svc db.consul x.docker y.nomad z.pod ⓛocalhost loc\u00adalhost"
).split(" ");
