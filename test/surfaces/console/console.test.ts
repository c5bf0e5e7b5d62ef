import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bestEncoding } from "../../../src/web/encoding.ts";
import { World } from "../../support/harness.ts";

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The cookie of a signed-in browser: enough to get the page, which then asks the API for the user. */
const cookie = "assay_refresh=any";
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  world.app.fetch(new Request(`http://assay.test${path}`, { method, headers }));
const page = async () => await (await get("/console", { cookie })).text();
const named = async (): Promise<string[]> =>
  [...(await page()).matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);

describe("the console is served", () => {
  test("as one page for every address, never cached, and only to a signed-in browser", async () => {
    for (const path of ["/console", "/console/", "/console/runs/1/deep"]) {
      const shown = await get(path, { cookie });
      expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
      const away = await get(path);
      const back = `/sign-in?redirect_to=${encodeURIComponent(`http://assay.test${path}`)}`;
      expect([away.status, away.headers.get("location")]).toEqual([302, back]);
    }
    const head = await get("/console", { cookie }, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await get("/console", { cookie }, "POST")).status).toBe(405);
  });

  test("with a policy that allows only its own files, with a new nonce each time", async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await get("/console", { cookie })).headers.get("content-security-policy") ?? ""),
    );
    expect(policies[0]).not.toBe(policies[1]);
    for (const policy of policies) {
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[A-Za-z0-9]{22}'; /);
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("frame-ancestors 'none'");
    }
    const text = await page();
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    const other = await get("/console", { cookie });
    const nonce = /nonce-([A-Za-z0-9]+)/.exec(other.headers.get("content-security-policy") ?? "")?.[1] ?? "none";
    expect(await other.text()).toContain(`nonce="${nonce}"`);
  });

  test("in files cached for a year, whole, compressed or not modified", async () => {
    const [path = ""] = (await named()).filter((name) => /\/main-[^/]*\.js$/.test(name));
    const plain = await get(path);
    const text = await plain.text();
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const zipped = await get(path, { "accept-encoding": "gzip" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.arrayBuffer()))).toBe(text);
    const etag = plain.headers.get("etag") ?? "";
    const held = await get(path, { "if-none-match": etag });
    expect([held.status, await held.text()]).toEqual([304, ""]);
    const head = await get(path, { "accept-encoding": "br" }, "HEAD");
    expect(Number(head.headers.get("content-length"))).toBeLessThan(text.length / 2);
    expect(head.headers.get("vary")).toBe("accept-encoding");
  });

  test("without any other file: no other name, no path out of the folder, no source", async () => {
    for (const name of ["main.js", "..%2F..%2Fpackage.json", "main.tsx", "constructor", "__proto__"])
      expect((await get(`/console/assets/${name}`)).status).toBe(404);
  });
});

test("the smallest encoding that a caller accepts is chosen", () => {
  expect(["gzip, deflate, br", "gzip", "br;q=0, gzip", "*", "identity", "", null].map(bestEncoding)).toEqual([
    "br",
    "gzip",
    "gzip",
    "gzip",
    "identity",
    "identity",
    "identity",
  ]);
});
