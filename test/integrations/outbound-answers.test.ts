import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { answer, bounds, fetched, guardFor, listen, name, refusal, refused, told } from "../support/outbound-peers.ts";

describe("limits", () => {
  const quick = { timeout_ms: 150 };

  test("a body over the limit is refused, by its declared and by its actual length", async () => {
    expect(await refused(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 100001\r\n\r\n"))).toBe("too_large");
    const endless = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(16_384, 97)));
      };
      socket.on("drain", pour);
      pour();
    };
    expect(await refused(endless)).toBe("too_large");
    expect((await fetched(answer("200 OK", [], Buffer.alloc(100_000)))).body.byteLength).toBe(100_000);
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(50_000_000))],
    ["deflate", deflateSync(Buffer.alloc(50_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(50_000_000))],
  ])("a %s bomb is refused", async (encoding, body) => {
    expect(body.byteLength).toBeLessThan(bounds.max_bytes);
    expect(await refused(answer("200 OK", [`content-encoding: ${encoding}`], body))).toBe("too_large");
  });

  test.each([
    ["gzip", Buffer.from("no gzip at all")],
    ["gzip", gzipSync("cut short, cut short").subarray(0, 20)],
    ["br", Buffer.from("no brotli at all")],
    ["deflate", Buffer.from([0x78, 0x9c, 1, 2, 3])],
    ["gzip, gzip", gzipSync(gzipSync("twice"))],
    ["zstd", Buffer.from("x")],
  ])("a broken or unknown %s is refused", async (encoding, body) => {
    expect(await refused(answer("200 OK", [`content-encoding: ${encoding}`], body))).toBe("decompression");
  });

  test.each([
    ["says nothing", () => {}],
    ["drips its head", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\nx-a: b")],
    ["stops in its body", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab")],
    [
      "sends nothing but early hints",
      (socket: Socket) => void socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)),
    ],
  ])("a host that %s times out", async (_, raw) => {
    expect(await refused(raw, quick)).toBe("timeout");
  });

  test("a host that doesn't finish the TLS handshake times out", async () => {
    await using peer = await listen(() => {});
    const outbound = guardFor([peer], { connect_timeout_ms: 100 });
    expect(await refusal(outbound.fetch(`https://${name}:${peer.port}/`, bounds))).toBe("timeout");
  });

  test("an endless head is refused", async () => {
    const long = Buffer.from(`HTTP/1.1 200 OK\r\n${"x-a: bbbbbbbbbbbbbbbb\r\n".repeat(5_000)}\r\n`);
    expect(await refused(long)).toBe("too_large");
  });

  test.each([
    ["nothing", ""],
    ["no HTTP", "hello\r\n\r\n"],
    ["HTTP/0.9", "<html>hello</html>"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ],
    ["chunks of garbage", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"],
    ["half a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhe"],
    ["half a body", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe"],
    ["a change of protocols", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ])("a response of %s is refused", async (_, raw) => {
    expect(await refused((socket) => socket.end(raw))).toBe("connection_failed");
  });

  test("only the requested content types are read", async () => {
    const request = { content_types: ["text/html", "application/xhtml+xml"] };
    expect(told(await fetched(answer("200 OK", ["content-type: Text/HTML; charset=utf-8"], "x"), request))).toBe("x");
    expect(await refused(answer("200 OK", ["content-type: application/pdf"], "x"), request)).toBe("content_type");
    expect(await refused(answer("200 OK", [], "x"), request)).toBe("content_type");
    expect((await fetched(answer("404 Gone", ["content-type: text/plain"], "x"), request)).status).toBe(404);
  });

  test("an abort ends a request with its own reason, whether running or queued", async () => {
    await using peer = await listen(() => {});
    const outbound = guardFor([peer]);
    const controller = new AbortController();
    const all = Array.from({ length: 8 }, () =>
      outbound.fetch(`http://${name}:${peer.port}/`, { ...bounds, signal: controller.signal }).catch((error) => error),
    );
    controller.abort(new Error("changed my mind"));
    expect((await Promise.all(all)).map(String)).toEqual(Array(8).fill("Error: changed my mind"));
  });

  test("a failed connection is retryable", async () => {
    // Ports of this range are never assigned by chance, unlike one that was free just now.
    const asked = guardFor([{ port: 1 }]).fetch(`http://${name}:1/`, bounds);
    expect(asked).rejects.toMatchObject({ code: "connection_failed", retryable: true });
    expect(await refusal(asked)).toBe("connection_failed");
  });
});
