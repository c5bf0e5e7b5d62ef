import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoFiles, prepareDemo } from "../../src/demo/index.ts";
import { World } from "../support/harness.ts";
import { testServices } from "../support/services.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-demo-"));
const world = await World.open();
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test("a demo started on another port names it in its credentials, and keeps everything else", async () => {
  const { credentials: file } = demoFiles(folder);
  const of = (base: string) => ({
    base_url: base,
    operator: { email: "operator@example.com", password: "http://127.0.0.1:878" },
    firms: [{ keys: { all: "assay_sk_x" }, connection_url: `${base}/mcp?token=assay_pc_x` }],
  });
  writeFileSync(file, JSON.stringify(of("http://127.0.0.1:8787")), { mode: 0o600 });
  for (const baseUrl of ["http://127.0.0.1:878", "http://127.0.0.1:9900", "http://127.0.0.1:9900"]) {
    await prepareDemo({
      ...{ dataDir: folder, baseUrl, masterKey: new Uint8Array(32), store: world.store, bench: false },
      ...{ services: testServices({}, world.store), capabilities: [], stop: new AbortController().signal },
    });
    const told = JSON.parse(readFileSync(file, "utf8"));
    expect([told.base_url, told.firms[0].connection_url]).toEqual([baseUrl, `${baseUrl}/mcp?token=assay_pc_x`]);
    expect(told.firms[0].keys.all).toBe("assay_sk_x");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});
