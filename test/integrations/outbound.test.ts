import { describe, expect, test } from "bun:test";
import { createServer } from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { loadConfiguration, privateHostsOf } from "../../src/config/settings.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import type { OutboundOptions } from "../../src/integrations/outbound/types.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { certificateFor } from "../support/certificates.ts";
import {
  answer,
  bounds,
  fetched,
  guardFor,
  home,
  listen,
  name,
  nameServer,
  other,
  refusal,
  refused,
  resolverOf,
  told,
} from "../support/outbound-peers.ts";

describe("an allowed request", () => {
  test("goes to the checked address, with the name as its host", async () => {
    await using peer = await listen((socket) => socket.end(answer("200 OK", ["x-peer: one"], "hello")));
    const resolve = resolverOf(home);
    const outbound = guardFor([peer], { runtime: { ...systemRuntime, resolveHost: resolve }, user_agent: "Guard/1" });
    const got = await outbound.fetch(`http://${name}:${peer.port}/a%20b?c=d#e`, bounds);
    expect([got.status, got.headers.get("x-peer"), got.url, told(got)]).toEqual([
      200,
      "one",
      `http://${name}:${peer.port}/a%20b?c=d`,
      "hello",
    ]);
    expect(resolve.asked).toEqual([name]);
    const [head = ""] = peer.heard;
    expect(head).toStartWith("GET /a%20b?c=d HTTP/1.1\r\n");
    expect(head.toLowerCase()).toContain(`\r\nhost: ${name}:${peer.port}\r\n`);
    expect(head.toLowerCase()).toContain("\r\nuser-agent: guard/1\r\n");
  });

  test("keeps method, headers and body; the guard sets the connection's own headers", async () => {
    await using peer = await listen((socket) => socket.end(answer("201 Created")));
    const headers = {
      authorization: "Bearer x",
      host: "evil.example.org",
      "content-length": "1",
      "proxy-connection": "x",
    };
    const got = await guardFor([peer]).fetch(`http://${name}:${peer.port}/`, {
      ...bounds,
      method: "POST",
      headers,
      body: "příliš",
    });
    const head = (peer.heard[0] ?? "").toLowerCase();
    expect(got.status).toBe(201);
    expect(head).toContain("authorization: bearer x");
    expect(head).toContain("content-length: 9");
    expect(head).not.toMatch(/evil|proxy-connection/);
  });

  test.each([200, 204, 304, 404, 500])("returns status %i as a response", async (status) => {
    expect((await fetched(Buffer.from(`HTTP/1.1 ${status} X\r\nconnection: close\r\n\r\n`))).status).toBe(status);
  });

  test.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["deflate", deflateSync("hello")],
    ["deflate", deflateRawSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["identity", Buffer.from("hello")],
  ])("decompresses %s", async (encoding, body) => {
    expect(told(await fetched(answer("200 OK", [`content-encoding: ${encoding}`], body)))).toBe("hello");
  });

  test("tries the next address of a host when the first can't be connected to", async () => {
    await using peer = await listen((socket) => socket.end(answer("200 OK", [], "second")));
    const resolve = resolverOf({ [name]: ["::1", "127.0.0.1"] });
    expect(
      told(
        await guardFor([peer], { runtime: { ...systemRuntime, resolveHost: resolve } }).fetch(
          `http://${name}:${peer.port}/`,
          bounds,
        ),
      ),
    ).toBe("second");
  });

  test("waits for its turn after six others to the same host", async () => {
    let open: (() => void)[] = [];
    await using peer = await listen((socket) => {
      open.push(() => socket.end(answer("200 OK")));
      if (open.length === 6) for (const one of open.splice(0)) one();
      else if (peer.connections() > 6) for (const one of open.splice(0)) one();
    });
    const outbound = guardFor([peer]);
    const all = Array.from({ length: 9 }, () => outbound.fetch(`http://${name}:${peer.port}/`, bounds));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(9).fill(200));
    open = [];
  });
});

describe("names are looked up once, and every address is checked", () => {
  const port = 80;
  const publicName = "rebind.example.org";
  // A range returned to IANA and not routed.
  const nowhere = "3ffe::1";

  test("a name that becomes private after the check is not looked up again within a request", async () => {
    let asked = 0;
    await using dns = await nameServer((name, type) => {
      const first = asked++ < 2;
      if (type === "AAAA") return first ? [{ type, name, ttl: 0, data: nowhere }] : [];
      return first ? [] : [{ type: "A", name, ttl: 0, data: "127.0.0.1" }];
    });
    await using peer = await listen((socket) => socket.end(answer("200 OK", [], "secret")));
    const outbound = createOutbound({
      runtime: { ...systemRuntime, resolveHost: dns.resolve },
      ports: [peer.port],
      connect_timeout_ms: 300,
    });
    const url = `http://${publicName}:${peer.port}/`;
    expect(["connection_failed", "timeout"]).toContain(await refusal(outbound.fetch(url, bounds)));
    expect(dns.questions.length).toBe(2);
    expect(await refusal(outbound.fetch(url, bounds))).toBe("url_not_allowed");
    expect([dns.questions.length, peer.connections()]).toEqual([4, 0]);
  });

  test.each([
    ["127.0.0.1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["93.184.216.34 and 127.0.0.1"],
    ["127.0.0.1 and 93.184.216.34"],
    ["93.184.216.34 and 100.64.0.1 and 1.1.1.1"],
  ])("a name that resolves to %s is refused", async (text) => {
    const addresses = text.split(" and ");
    await using dns = await nameServer((name, type) =>
      type === "A" ? addresses.map((data) => ({ type: "A", name, ttl: 0, data })) : [],
    );
    await using peer = await listen((socket) => socket.end());
    const outbound = createOutbound({ runtime: { ...systemRuntime, resolveHost: dns.resolve }, ports: [peer.port] });
    expect(await refusal(outbound.fetch(`http://${publicName}:${peer.port}/`, bounds))).toBe("url_not_allowed");
    expect(peer.connections()).toBe(0);
  });

  test("a public A with a private AAAA is refused, and so is an alias of a private name", async () => {
    await using mixed = await nameServer((name, type) =>
      type === "AAAA" ? [{ type, name, ttl: 0, data: "::1" }] : [{ type: "A", name, ttl: 0, data: "93.184.216.34" }],
    );
    await using alias = await nameServer((name, type) => [
      { type: "CNAME", name, ttl: 0, data: "inner.example.net" },
      ...(type === "A" ? [{ type: "A" as const, name: "inner.example.net", ttl: 0, data: "192.168.1.1" }] : []),
    ]);
    for (const { resolve, questions } of [mixed, alias]) {
      const outbound = createOutbound({ runtime: { ...systemRuntime, resolveHost: resolve } });
      expect(await refusal(outbound.fetch(`http://${publicName}/`, bounds))).toBe("url_not_allowed");
      expect(questions.length).toBe(2);
    }
  });

  test("a name without an address and an invalid DNS response are distinguished", async () => {
    await using dns = await nameServer(() => []);
    expect(
      await refusal(
        createOutbound({ runtime: { ...systemRuntime, resolveHost: dns.resolve } }).fetch(
          `http://${publicName}/`,
          bounds,
        ),
      ),
    ).toBe("unresolvable");
    const nonsense = createOutbound({ runtime: { ...systemRuntime, resolveHost: async () => ["example.org"] } });
    expect(await refusal(nonsense.fetch(`http://${publicName}:${port}/`, bounds))).toBe("url_not_allowed");
    const never = createOutbound({ runtime: { ...systemRuntime, resolveHost: () => new Promise(() => {}) } });
    expect(await refusal(never.fetch(`http://${publicName}/`, { ...bounds, timeout_ms: 50 }))).toBe("timeout");
  });
});

describe("redirects", () => {
  const to = (location: string, status = "302 Found") => answer(status, [`location: ${location}`]);

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::ffff:7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://user:password@93.184.216.34/",
    "http://93.184.216.34:22/",
    "//10.0.0.1/",
    "ftp://93.184.216.34/",
    "file:///etc/passwd",
    "http://[",
  ])("to %s are refused", async (location) => {
    expect(await refused(to(location))).toBe("url_not_allowed");
  });

  test("to a name are checked by its addresses", async () => {
    await using peer = await listen((socket) => socket.end(to("http://inner.example.net/")));
    const resolve = resolverOf({ ...home, "inner.example.net": ["10.0.0.7"] });
    const outbound = guardFor([peer], { runtime: { ...systemRuntime, resolveHost: resolve } });
    expect(await refusal(outbound.fetch(`http://${name}:${peer.port}/`, bounds))).toBe("url_not_allowed");
    expect(resolve.asked).toEqual([name, "inner.example.net"]);
  });

  test("are followed five times, and the sixth is refused", async () => {
    let left = 5;
    await using peer = await listen((socket) => socket.end(left-- > 0 ? to("/next") : answer("200 OK", [], "end")));
    const outbound = guardFor([peer]);
    const url = `http://${name}:${peer.port}/`;
    const got = await outbound.fetch(url, bounds);
    expect([told(got), got.url, peer.connections()]).toEqual(["end", `${url}next`, 6]);
    left = 6;
    expect(await refusal(outbound.fetch(url, { ...bounds, max_redirects: 99 }))).toBe("too_many_redirects");
    left = 1;
    expect((await outbound.fetch(url, { ...bounds, max_redirects: 0 })).status).toBe(302);
  });

  test("in a loop end", async () => {
    expect(await refused(to("/"))).toBe("too_many_redirects");
  });

  test("turn a POST into a GET as RFC 9110 says, and preserve it with 307 and 308", async () => {
    for (const [status, method] of [
      ["301 Moved", "GET"],
      ["302 Found", "GET"],
      ["303 See Other", "GET"],
      ["307 Temporary", "POST"],
      ["308 Permanent", "POST"],
    ] as const) {
      await using peer = await listen((socket, head) =>
        socket.end(head.includes(" /end ") ? answer("200 OK") : to("/end", status)),
      );
      await guardFor([peer]).fetch(`http://${name}:${peer.port}/`, { ...bounds, method: "POST", body: "x=1" });
      const second = peer.heard[1] ?? "";
      expect(second).toStartWith(`${method} /end `);
      expect(/content-length: 3/i.test(second)).toBe(method === "POST");
    }
  });

  test("send no credential and no body to another origin", async () => {
    await using last = await listen((socket) => socket.end(answer("200 OK")));
    await using first = await listen((socket, head) =>
      socket.end(to(`http://${other}:${last.port}/`, head.startsWith("POST") ? "307 Temporary" : "302 Found")),
    );
    const outbound = guardFor([first, last]);
    const headers = { authorization: "Bearer s3cret", cookie: "a=s3cret", "x-api-key": "s3cret", accept: "text/html" };
    await outbound.fetch(`http://${name}:${first.port}/`, { ...bounds, headers });
    expect(first.heard[0]).toContain("s3cret");
    expect(last.heard[0]).not.toContain("s3cret");
    expect(last.heard[0]).toContain("text/html");
    const post = outbound.fetch(`http://${name}:${first.port}/`, { ...bounds, method: "POST", body: "s3cret" });
    expect([await refusal(post), last.connections()]).toEqual(["url_not_allowed", 1]);
  });

  test("and first hops obey the request's own policy", async () => {
    await using peer = await listen((socket) => socket.end(to(`http://${other}:1/`)));
    const outbound = guardFor([peer], { allow_private: [`${name}:${peer.port}`, `${other}:1`] });
    const url = `http://${name}:${peer.port}/`;
    const seen: string[] = [];
    const allow_hop = (hop: URL) => seen.push(hop.hostname) === 1;
    expect(await refusal(outbound.fetch(url, { ...bounds, policy: { allow_hop } }))).toBe("url_not_allowed");
    expect(seen).toEqual([name, other]);
    expect(await refusal(outbound.fetch(url, { ...bounds, policy: { https_only: true } }))).toBe("url_not_allowed");
    expect(peer.connections()).toBe(1);
  });
});

describe("TLS", () => {
  const { key, cert } = certificateFor(name);

  async function tlsPeer(raw: Buffer) {
    const names: (string | false | null)[] = [];
    const server = createServer({ key, cert }, (socket) => {
      socket.on("error", () => {});
      names.push(socket.servername);
      socket.once("data", () => socket.end(raw));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const port = typeof bound === "object" && bound ? bound.port : 0;
    return { port, names, [Symbol.asyncDispose]: async () => void server.close() };
  }
  const trusting = (port: number, more: Partial<OutboundOptions> = {}) =>
    createOutbound({
      runtime: { ...systemRuntime, resolveHost: resolverOf(home) },
      allow_private: [`${name}:${port}`, `${other}:${port}`],
      trusted_certificates: [cert],
      ...more,
    });

  test("checks the certificate for the name, not for the address", async () => {
    await using peer = await tlsPeer(answer("200 OK", [], "safe"));
    const got = await trusting(peer.port).fetch(`https://${name}:${peer.port}/`, bounds);
    expect([told(got), peer.names]).toEqual(["safe", [name]]);
    expect(await refusal(trusting(peer.port).fetch(`https://${other}:${peer.port}/`, bounds))).toBe(
      "connection_failed",
    );
  });

  test("refuses an untrusted certificate, even if the environment says otherwise", async () => {
    await using peer = await tlsPeer(answer("200 OK"));
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const distrusting = trusting(peer.port, { trusted_certificates: [] });
      expect(await refusal(distrusting.fetch(`https://${name}:${peer.port}/`, bounds))).toBe("connection_failed");
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  test("cannot be downgraded to plain http by a redirect", async () => {
    await using plain = await listen((socket) => socket.end(answer("200 OK")));
    await using peer = await tlsPeer(answer("302 Found", [`location: http://${name}:${plain.port}/`]));
    const outbound = trusting(peer.port, { allow_private: [`${name}:${peer.port}`, `${name}:${plain.port}`] });
    expect(await refusal(outbound.fetch(`https://${name}:${peer.port}/`, bounds))).toBe("url_not_allowed");
    expect(plain.connections()).toBe(0);
  });
});

describe("proxies set in the environment", () => {
  test("are not used, as the address check would be void", async () => {
    await using proxy = await listen((socket) => socket.end(answer("200 OK", [], "proxied")));
    await using peer = await listen((socket) => socket.end(answer("200 OK", [], "direct")));
    const script = `
      import { createOutbound } from "./src/integrations/outbound/guard.ts";
      import { systemRuntime } from "./src/platform/runtime.ts";
      const outbound = createOutbound({ runtime: { ...systemRuntime, resolveHost: async () => ["127.0.0.1"] }, allow_private: ["${name}:${peer.port}"] });
      const { body } = await outbound.fetch("http://${name}:${peer.port}/", { max_bytes: 1000, timeout_ms: 5000 });
      process.stdout.write(body);`;
    const address = `http://127.0.0.1:${proxy.port}`;
    const variables = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"];
    const env = {
      ...process.env,
      NO_PROXY: "",
      no_proxy: "",
      ...Object.fromEntries(variables.map((one) => [one, address])),
    };
    const child = Bun.spawn([process.execPath, "-e", script], { env, cwd: `${import.meta.dir}/../..`, stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("direct");
    expect(proxy.connections()).toBe(0);
  });
});

describe("hosts allowed by the operator", () => {
  test("are identified by name and port, not by address", async () => {
    await using peer = await listen((socket) => socket.end(answer("200 OK", [], "inside")));
    const allow_private = [`intranet:${peer.port}`, `[::1]:${peer.port}`];
    const outbound = createOutbound({
      runtime: { ...systemRuntime, resolveHost: resolverOf({ intranet: ["127.0.0.1"] }) },
      allow_private,
    });
    expect(told(await outbound.fetch(`http://INTRANET.:${peer.port}/`, bounds))).toBe("inside");
    for (const url of [`http://127.0.0.1:${peer.port}/`, "http://intranet/", `http://x.intranet:${peer.port}/`])
      expect(() => outbound.checkUrl(url)).toThrow(expect.objectContaining({ code: "url_not_allowed" }));
    expect(outbound.checkUrl(`http://[0::1]:${peer.port}/`).hostname).toBe("[::1]");
  });

  test("come from one setting, and an invalid host:port in it is refused at startup", () => {
    const hostsOf = (outbound_allow_private: string) =>
      privateHostsOf(loadConfiguration({ env: {}, flags: { outbound_allow_private } }).settings);
    const { checkUrl } = createOutbound({
      runtime: systemRuntime,
      allow_private: hostsOf("crm.intranet:8080,10.0.0.7:443,[::1]:80"),
    });
    for (const url of ["http://crm.intranet:8080/", "https://10.0.0.7/", "http://[::1]/"])
      expect(checkUrl(url).href).toBe(url);
    for (const wrong of ["crm.intranet", "crm.intranet:8080,", "http://crm.intranet:80", "crm:99999", "a:1 b:2"])
      expect(() => hostsOf(wrong)).toThrow("outbound_allow_private");
  });

  test.each([
    "intranet",
    "http://intranet:80",
    "intranet:80/path",
    "a b:80",
    "user@intranet:80",
    ":80",
    "intranet:99999",
  ])("cannot be %j", (text) => {
    expect(() => createOutbound({ runtime: systemRuntime, allow_private: [text] })).toThrow(TypeError);
  });
});
