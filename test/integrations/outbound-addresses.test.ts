import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "../../src/integrations/outbound/addresses.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { bounds, listen, refusal, resolverOf } from "../support/outbound-peers.ts";
import {
  innerNames,
  public4,
  public6,
  special4,
  special6,
  spellings4,
  spellings6,
} from "../support/outbound-spellings.ts";

const rows4 = Object.entries(special4).flatMap(([range, addresses]) =>
  addresses.flatMap((address) =>
    Object.entries(spellings4(address)).map(([trick, host]) => ({ range, address, trick, host })),
  ),
);
const rows6 = Object.entries(special6).flatMap(([range, addresses]) =>
  addresses.flatMap((address) =>
    Object.entries(spellings6(address)).map(([trick, host]) => ({ range, address, trick, host })),
  ),
);
const rows = [...rows4, ...rows6];

describe("spellings of an address", () => {
  test(`are all refused for ${rows.length} special addresses, on http and https`, () => {
    const { checkUrl } = createOutbound({ runtime: { ...systemRuntime, resolveHost: resolverOf({}) } });
    const through = rows.flatMap(({ trick, host }) =>
      ["http", "https"].flatMap((scheme) => {
        try {
          return [`${trick}: ${checkUrl(`${scheme}://${host}/`)}`];
        } catch {
          return [];
        }
      }),
    );
    expect(rows.length).toBeGreaterThan(1_500);
    expect(through).toEqual([]);
  });

  test("open no socket, even though every port is allowed and listeners exist", async () => {
    await using four = await listen((socket) => socket.end());
    await using six = await listen((socket) => socket.end(), "::1", four.port);
    const resolve = resolverOf({});
    const outbound = createOutbound({ runtime: { ...systemRuntime, resolveHost: resolve }, ports: [four.port] });
    const codes = await Promise.all(
      rows.map(({ host }) => refusal(outbound.fetch(`http://${host}:${four.port}/`, bounds))),
    );
    expect(new Set(codes)).toEqual(new Set(["url_not_allowed"]));
    expect([four.connections(), six.connections(), resolve.asked]).toEqual([0, 0, []]);
    // Checks that the listeners do count connections.
    const open = createOutbound({
      runtime: systemRuntime,
      allow_private: [`127.0.0.1:${four.port}`, `[::1]:${four.port}`],
    });
    await refusal(open.fetch(`http://127.0.0.1:${four.port}/`, bounds));
    await refusal(open.fetch(`http://[::1]:${four.port}/`, bounds));
    expect([four.connections(), six.connections()]).toEqual([1, 1]);
  });

  test.each(innerNames)("are refused without a lookup for the name %s", async (name) => {
    const resolve = resolverOf({});
    const outbound = createOutbound({ runtime: { ...systemRuntime, resolveHost: resolve } });
    expect(await refusal(outbound.fetch(`http://${name}/`, bounds))).toBe("url_not_allowed");
    expect(resolve.asked).toEqual([]);
  });

  test.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "ws://example.com/",
    "//example.com/",
    "example.com",
    "/path",
    "",
    "http://",
    "http:///example.com",
    "http:example.com",
    "http:\\\\example.com",
    "http://example.com\\@127.0.0.1/",
    "http://example.com/a b",
    " http://example.com/",
    "http://exam\tple.com/",
    "http://exam\nple.com/",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://:@example.com@127.0.0.1/",
    "http://example.com:8080/",
    "http://example.com:22/",
    "https://example.com:8443/",
    "http://example.com:0/",
    "http://example..com/",
    "http://example.com../",
    "http://.example.com/",
    "http://-a.example.com/",
    `http://${"a".repeat(64)}.example.com/`,
    `http://${"a.".repeat(130)}com/`,
    `http://example.com/${"a".repeat(9_000)}`,
    "http://[::1",
    "http://256.256.256.256/",
    "http://1.2.3.4.5/",
    "http://example.0x7f/",
  ])("%j is refused", (text) => {
    expect(() => createOutbound({ runtime: systemRuntime }).checkUrl(text)).toThrow(
      expect.objectContaining({ code: "url_not_allowed", retryable: false }),
    );
  });

  test.each([
    ["HTTP://EXAMPLE.COM", "http://example.com/"],
    ["https://example.com.:443/a?b=c#d", "https://example.com/a?b=c"],
    ["http://example.com:80/", "http://example.com/"],
    ["http://example.com:443/", "http://example.com:443/"],
    ["http://bücher.de/", "http://xn--bcher-kva.de/"],
    ["http://1.1.1.1/", "http://1.1.1.1/"],
    ["http://0x08080808/", "http://8.8.8.8/"],
    ["http://[2606:4700:0000::1111]/", "http://[2606:4700::1111]/"],
  ])("%s is accepted as %s", (text, canonical) => {
    expect(createOutbound({ runtime: systemRuntime }).checkUrl(text).href).toBe(canonical);
  });

  test("an error never repeats the input", () => {
    for (const text of ["http://name:hunter2@example.com/?token=s3cret", "http://10.1.2.3/?token=s3cret"]) {
      const told = (() => {
        try {
          return String(createOutbound({ runtime: systemRuntime }).checkUrl(text));
        } catch (error) {
          return error instanceof Error ? `${error.message}${error.cause ?? ""}` : "";
        }
      })();
      expect(told).not.toMatch(/hunter2|s3cret|example|10\.1/);
      expect(told).not.toBe("");
    }
  });
});

describe("addresses", () => {
  test("adjacent to the special ranges are public", () => {
    expect([...public4, ...public6].filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  test("that are invalid are not public", () => {
    const none = [
      "",
      "example.com",
      "1.1.1",
      "0x08080808",
      "010.8.8.8",
      "8.8.8.8.",
      "8.8.8.8%1",
      "fe80::1%eth0",
      "2606:4700::1%1",
      "[::1]",
    ];
    expect(none.filter(isPublicAddress)).toEqual([]);
  });

  const inRange = (range: string) => {
    const [base, bits] = ipaddr.IPv4.parseCIDR(range);
    const start = base.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0);
    return fc.integer({ min: start, max: start + 2 ** (32 - bits) - 1 });
  };
  const dotted = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
  const ranges = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 " +
    "192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
  ).split(" ");

  test("any address of a special range is refused in any spelling", () => {
    const { checkUrl } = createOutbound({ runtime: systemRuntime });
    const numbers = fc.oneof(...ranges.map(inRange));
    const refused = (host: string): boolean => {
      try {
        checkUrl(`http://${host}/`);
        return false;
      } catch {
        return true;
      }
    };
    fc.assert(
      fc.property(numbers, (number) => Object.values(spellings4(dotted(number))).every(refused)),
      { numRuns: 300 },
    );
  });

  test("any other IPv4 address is public, and accepted in every IPv4 spelling", () => {
    const within = (address: string) =>
      ranges.some((range) => ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(range)));
    const publicNumber = fc
      .integer({ min: 0, max: 2 ** 32 - 1 })
      .filter((number) => !within(dotted(number)) && dotted(number) !== "168.63.129.16");
    const { checkUrl } = createOutbound({ runtime: systemRuntime });
    fc.assert(
      fc.property(publicNumber, (number) => {
        const address = dotted(number);
        const plain = Object.values(spellings4(address)).filter((host) => !host.startsWith("["));
        return isPublicAddress(address) && plain.every((host) => checkUrl(`http://${host}/`).hostname === address);
      }),
      { numRuns: 300 },
    );
  });

  test("any IPv6 address outside of global unicast is refused", () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 }).filter(([first = 0]) => first >> 5 !== 1);
    fc.assert(
      fc.property(bytes, (parts) => !isPublicAddress(new ipaddr.IPv6([...parts]).toNormalizedString())),
      { numRuns: 1_000 },
    );
  });
});
