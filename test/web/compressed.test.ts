import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { World } from "../support/harness.ts";

let world: World;

beforeAll(async () => {
  world = await World.open(undefined, { capabilities });
});

afterAll(() => world[Symbol.asyncDispose]());

const console = { "x-assay-surface": "web", "accept-encoding": "gzip, deflate, br" };

describe("a response to the console", () => {
  test("is compressed, with the same content and a weak ETag that revalidates", async () => {
    const whole = await world.ask("/v1/capabilities");
    const short = await world.ask("/v1/capabilities", { headers: console });
    expect(short.headers.get("content-encoding")).toBe("gzip");
    expect(short.headers.get("vary")).toContain("accept-encoding");
    const etag = short.headers.get("etag") ?? "";
    expect(etag).toBe(`W/${whole.headers.get("etag")}`);
    const bytes = await short.bytes();
    const text = await whole.text();
    expect(bytes.byteLength).toBeLessThan(text.length / 3);
    expect(gunzipSync(bytes).toString()).toBe(text);
    const held = await world.ask("/v1/capabilities", { headers: { ...console, "if-none-match": etag } });
    expect([held.status, await held.text()]).toEqual([304, ""]);
    // Same as in the response that it represents (RFC 9110, 15.4.5).
    expect(held.headers.get("vary")).toContain("accept-encoding");
  });

  test("is not compressed if it is short, or the browser does not accept it", async () => {
    const short = await world.ask("/health", { headers: console });
    expect([short.headers.get("content-encoding"), short.status]).toEqual([null, 200]);
    const plain = await world.ask("/v1/capabilities", { headers: { ...console, "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.json()).toHaveProperty("items");
  });
});

test("to any other program is never compressed here", async () => {
  const answer = await world.ask("/v1/capabilities", { headers: { "accept-encoding": "gzip" } });
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(answer.headers.get("vary")).toBeNull();
});
