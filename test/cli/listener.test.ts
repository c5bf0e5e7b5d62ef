import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressTrouble, type Handler, Listener } from "../../src/cli/listener.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { errorResponse } from "../../src/web/errors.ts";
import { certificateFor } from "../support/certificates.ts";
import { refusal } from "../support/harness.ts";

const { settings } = loadConfiguration({ env: {}, flags: {} });
const noError = () => errorResponse("internal_error");

test.each<[string, Handler]>([
  [
    "synchronously",
    () => {
      throw new Error("canary");
    },
  ],
  ["asynchronously", () => Promise.reject(new Error("canary"))],
])("an error thrown by a handler %s is logged, and the response contains nothing of it", async (_, handler) => {
  const logged: unknown[] = [];
  const listener = new Listener({ ...settings, port: 0 }, handler, (error) => {
    logged.push(error);
    return errorResponse("internal_error");
  });
  try {
    const response = await fetch(`http://127.0.0.1:${listener.port}/health`);
    expect(await response.clone().text()).not.toContain("canary");
    expect(await refusal(response)).toEqual([500, "internal_error"]);
    expect(logged.map(String)).toEqual(["Error: canary"]);
  } finally {
    await listener.stop(true);
  }
});

test.each([
  ["the same address", "127.0.0.1"],
  ["every address", "0.0.0.0"],
])("a port used by another of our servers on 127.0.0.1 is refused: %s", async (_, host) => {
  const first = new Listener({ ...settings, port: 0 }, () => new Response("first"), noError);
  try {
    const taken = { ...settings, host, port: first.port };
    expect(() => new Listener(taken, () => new Response("second"), noError)).toThrow(
      `port ${first.port} on ${host} is in use`,
    );
    expect((await addressTrouble(taken))?.message).toBe(`port ${first.port} on ${host} is in use`);
  } finally {
    await first.stop(true);
  }
});

test("a server on every address prevents others from using its port on a single one", async () => {
  const first = new Listener({ ...settings, host: "0.0.0.0", port: 0 }, () => new Response("first"), noError);
  try {
    expect(() => new Listener({ ...settings, port: first.port }, () => new Response("second"), noError)).toThrow(
      "in use",
    );
  } finally {
    await first.stop(true);
  }
});

test("a port is free again after its server has stopped, and checking it leaves it free", async () => {
  const first = new Listener({ ...settings, port: 0 }, () => new Response("first"), noError);
  await fetch(`http://127.0.0.1:${first.port}/`);
  await first.stop(false);
  const address = { ...settings, port: first.port };
  expect(await addressTrouble(address)).toBeUndefined();
  const second = new Listener(address, () => new Response("second"), noError);
  expect(await (await fetch(`http://127.0.0.1:${first.port}/`)).text()).toBe("second");
  await second.stop(true);
});

test("a renewed certificate is used while requests with the old one are in progress", async () => {
  const [old, renewed] = [certificateFor("localhost"), certificateFor("localhost")];
  const folder = mkdtempSync(join(tmpdir(), "assay-listener-"));
  const files = { tls_cert: join(folder, "cert.pem"), tls_key: join(folder, "key.pem") };
  const use = ({ cert, key }: typeof old) => {
    writeFileSync(files.tls_cert, cert);
    writeFileSync(files.tls_key, key);
  };
  use(old);
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const handler = async ({ url }: Request) => {
    if (!url.endsWith("/slow")) return new Response("fast");
    begun.resolve();
    await goOn.promise;
    return new Response("slow");
  };
  const listener = new Listener({ ...settings, ...files, port: 0 }, handler, noError);
  try {
    const ask = async (path: string, { cert }: typeof old) =>
      (await fetch(`https://localhost:${listener.port}${path}`, { tls: { ca: cert } })).text();
    const slow = ask("/slow", old);
    await begun.promise;
    use(renewed);
    listener.renew();
    expect(await ask("/fast", renewed)).toBe("fast");
    goOn.resolve();
    expect(await slow).toBe("slow");
  } finally {
    await listener.stop(true);
    rmSync(folder, { recursive: true });
  }
});

test.each(["no-such-host.invalid", "203.0.113.1"])("%s is reported if no server can listen on it", async (host) => {
  const trouble = await addressTrouble({ host, port: 0 });
  expect(trouble).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(host),
    hint: "Start the server with another --host.",
  });
});
