import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWorld, type World } from "../support/client-cli-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const company = "https://example.com/";

describe("analysing a company's website", () => {
  test("with --wait ends with the result, and with --json prints the job as returned by the API", async () => {
    const { code, out, err } = await world.assay(["analyze", company, "--wait"]);
    expect(code).toBe(0);
    expect(out).toContain("company_name: Example");
    expect(err).toContain("succeeded");
    const raw = await world.assay(["analyze", company, "--wait", "--json"]);
    const { id } = JSON.parse(raw.out);
    expect(raw.out).toBe(`${await (await world.ask(`/v1/jobs/${id}`)).text()}\n`);
    expect((await world.assay(["jobs", "get", id, "--json"])).out).toBe(raw.out);
    const listed = await world.assay(["jobs", "list", "--status", "succeeded"]);
    expect([listed.code, listed.out]).toEqual([0, expect.stringContaining(`${id}\tsucceeded`)]);
    const list = await world.assay(["jobs", "list", "--limit", "1", "--json"]);
    expect(JSON.parse(list.out).items.map((job: { id: string }) => job.id)).toEqual([id]);
    expect((await world.assay(["jobs", "list", "--status", "queued"])).err).toContain("No jobs.");
    expect((await world.assay(["jobs", "list", "--limit", "0"])).err).toContain("  --limit must be at least 1");
    expect((await world.assay(["jobs", "get", id])).out).toMatch(/^company\.analyze_url +succeeded/);
  });

  test("without --wait prints the job, and watching it leads to the same end", async () => {
    const { code, out, err } = await world.assay(["analyze", company]);
    expect(code).toBe(0);
    const id = /job\t([0-9a-f-]{36})/.exec(out)?.[1] ?? "";
    expect(err).toContain(`assay jobs watch ${id}`);
    expect((await world.assay(["jobs", "watch", id])).out).toContain("company_name: Example");
  });

  test("exits with 1 and the reason if it fails", async () => {
    const { code, out, err } = await world.assay(["analyze", "https://example.org/", "--wait"]);
    expect(code).toBe(1);
    expect(out).toContain("failed");
    expect(err).toContain("The site gave no page. (no_pages)");
  });

  test("finds the job again by the generated key, and refuses it for another address", async () => {
    const first = await world.assay(["analyze", company, "--json"]);
    const key = /--idempotency-key (\S+)/.exec(first.err)?.[1] ?? "";
    const again = await world.assay(["analyze", company, "--json", "--idempotency-key", key]);
    expect(JSON.parse(again.out).job_id).toBe(JSON.parse(first.out).job_id);
    expect(again.err).toContain("used before");
    const other = await world.assay(["analyze", "https://example.org/", "--idempotency-key", key]);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("idempotency_conflict")]);
  });

  test("has an exit code each for no address, one inside a network, an invalid id and a missing scope", async () => {
    expect((await world.assay(["analyze", "example.com"])).code).toBe(2);
    expect((await world.assay(["analyze"])).code).toBe(2);
    const inside = await world.assay(["analyze", "http://127.0.0.1/"]);
    expect([inside.code, inside.err]).toEqual([2, expect.stringContaining("/body/company_url")]);
    expect((await world.assay(["jobs", "get", "xyz"])).err).toContain("  the job id must be a UUID");
    expect((await world.assay(["jobs", "get", crypto.randomUUID()])).err).toContain("not_found");
    const narrow = { env: { ASSAY_API_KEY: world.key.readOnly } };
    expect((await world.assay(["analyze", company], narrow)).code).toBe(3);
  });

  test("fits every line into 40 columns", async () => {
    const { out } = await world.assay(["analyze", company, "--wait", "--json"]);
    const lines = await world.onTerminal(40, ["jobs", "get", JSON.parse(out).id], { NO_COLOR: "1" });
    for (const line of lines) expect(`${Bun.stringWidth(line) <= 40} ${line}`).toBe(`true ${line}`);
  });
});
