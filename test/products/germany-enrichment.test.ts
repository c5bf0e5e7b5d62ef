import { afterAll, describe, expect, test } from "bun:test";
import { limitMonthly } from "../../src/accounts/admin/permissions.ts";
import type { GermanyEnrichment, Job } from "../../src/jobs/schema.ts";
import { serve } from "../support/company-sites.ts";
import { callersOf, get, importGermany, openGermany } from "../support/germany-world.ts";
import { errorIn, type Firm, type World } from "../support/harness.ts";

const host = "www.zauberhut.de";
const served = await serve({
  [host]: {
    "/": `<html lang="de"><head><title>Zauberhut Versicherungsmakler GmbH</title>
      <meta name="description" content="Versicherungsmakler für Handwerksbetriebe in Köln"></head>
      <body><nav><a href="/impressum">Impressum</a></nav><h1>Versicherungen für Handwerksbetriebe</h1>
      <p>${"Wir beraten Betriebe zu ihrer Haftpflicht. ".repeat(12)}</p></body></html>`,
    "/impressum": `<html lang="de"><head><title>Impressum</title></head><body><h1>Impressum</h1>
      <p>Zauberhut Versicherungsmakler GmbH, Amtsgericht Köln, HRB 12345. Geschäftsführerin: Erika Beispiel,
      Telefon 0221 555555, erika@zauberhut.de</p></body></html>`,
  },
});
const world = await openGermany(served);
const { full, standard, keys } = await callersOf(world);
const profile = { name: "Zauberhut Versicherungsmakler GmbH", city: "Köln" };
await importGermany(world, {
  profiles: [
    { target_key: "p1", ...profile, website: served.url(host) },
    { target_key: "p2", ...profile, website: "" },
    { target_key: "p3", ...profile, website: "http://10.0.0.1/" },
  ],
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await served[Symbol.asyncDispose]();
});

const submit = (as: string, target_key: string, fields: readonly string[]) =>
  world.ask("/v1/market-intelligence/de/enrichments", { as, body: { target_key, fields } });

async function ended(on: World, as: string, target_key: string, fields: readonly string[]): Promise<Job> {
  const { id } = (await (await submit(as, target_key, fields)).json()) as Job;
  const path = `de/enrichments/${id}`;
  await on.untilAfterPauses(async () => (await get(on, path, as)).body.finished_at !== null, "the enrichment ends");
  return (await get(on, path, as)).body;
}

const used = (firm: Firm) =>
  world.store.read
    .selectFrom("uses")
    .select("used")
    .where("firm_id", "=", firm.id)
    .where("name", "like", "germany-enrichments@%")
    .executeTakeFirst();

describe("an enrichment", () => {
  test("states the address to poll, and when", async () => {
    const answer = await submit(keys.full, "p1", ["website"]);
    const { id } = (await answer.json()) as Job;
    expect(answer.headers.get("location")).toBe(`/v1/market-intelligence/de/enrichments/${id}`);
    expect(answer.headers.get("retry-after")).toBe("1");
  });

  test("proposes values with evidence from the firm's own pages, and changes no record", async () => {
    const before = (await get(world, "de/entities/p1", keys.full)).text;
    const job = await ended(world, keys.full, "p1", [
      "legal_name",
      "legal_form",
      "register_number",
      "languages",
      "website",
    ]);
    expect([job.type, job.status, job.error]).toEqual(["germany.enrich", "succeeded", null]);
    const { fields, pages } = job.result as GermanyEnrichment;
    const values = Object.fromEntries(fields.map(({ field, value, reliability }) => [field, [value, reliability]]));
    expect(values).toMatchObject({
      legal_form: ["GmbH", "C"],
      register_number: ["HRB 12345", "B"],
      languages: [["de"], "C"],
      website: [served.url(host), "C"],
    });
    for (const { field, evidence } of fields)
      expect({ field, evidence: evidence.length > 0 }).toEqual({ field, evidence: true });
    for (const { url } of fields.flatMap(({ evidence }) => evidence)) expect(pages).toContain(url);
    expect(JSON.stringify(job)).not.toMatch(/Erika|555555|@zauberhut/);
    expect((await get(world, "de/entities/p1", keys.full)).text).toBe(before);
  });

  test("shows nothing that identifies the firm without the enterprise tier", async () => {
    expect(await errorIn(await submit(keys.standard, "p1", ["website"]))).toMatchObject({
      code: "missing_scope",
      details: [{ message: "needs a firm with the entitlement enterprise" }],
    });
    const job = await ended(world, keys.standard, "p1", ["legal_form", "languages"]);
    expect(JSON.stringify(job)).not.toMatch(/zauberhut/i);
    expect((job.result as GermanyEnrichment).fields.map(({ value }) => value)).toEqual(["GmbH", ["de"]]);
    const failed = await ended(world, keys.standard, "p3", ["languages"]);
    expect(failed.status).toBe("failed");
    expect(JSON.stringify(failed)).not.toContain("10.0.0.1");
  });

  test("never requests an address inside the network", async () => {
    const job = await ended(world, keys.full, "p3", ["website"]);
    expect([job.status, job.error?.code]).toEqual(["failed", "url_not_allowed"]);
  });

  test("is visible to its own firm only, and not among other jobs", async () => {
    const { id } = (await (await submit(keys.full, "p1", ["languages"])).json()) as Job;
    expect((await get(world, `de/enrichments/${id}`, keys.standard)).status).toBe(404);
    expect((await world.ask(`/v1/jobs/${id}`, { as: keys.full })).status).toBe(404);
    // The list has no more than a look-up, and no market data for a key that may only read jobs.
    const list = await world.ask("/v1/jobs", { as: keys.full });
    expect([list.status, await list.json()]).toEqual([200, { items: [], next_cursor: null }]);
    expect((await get(world, "de/enrichments/nonsense", keys.full)).status).toBe(422);
    await world.idle();
  });

  test("returns the original job for a repeated key, as the caller may see it, and counts it once", async () => {
    const post = (key: string, fields: readonly string[]) =>
      world.ask("/v1/market-intelligence/de/enrichments", {
        as: keys.standard,
        headers: { "idempotency-key": key },
        body: { target_key: "p1", fields },
      });
    const first = (await (await post("enrich-once", ["languages"])).json()) as Job;
    await world.idle();
    const counted = await used(standard);
    const again = await post("enrich-once", ["languages"]);
    const body = await again.text();
    expect([again.status, again.headers.get("idempotency-replayed"), JSON.parse(body).id]).toEqual([
      202,
      "true",
      first.id,
    ]);
    expect([await used(standard), /zauberhut/i.test(body)]).toEqual([counted, false]);
    expect((await post("enrich-once", ["legal_form"])).status).toBe(409);
    expect((await post("short", ["languages"])).status).toBe(422);
  });

  test("refuses impossible requests, and does not count them", async () => {
    const before = await used(full);
    const asked: readonly [string, readonly string[], number, string | undefined][] = [
      ["p1", ["salary"], 422, "/body/fields/0"],
      ["p1", [], 422, "/body/fields"],
      ["p1", Array.from({ length: 21 }, () => "website"), 422, "/body/fields"],
      ["p2", ["website"], 422, "/body/target_key"],
      ["p9", ["website"], 404, undefined],
    ];
    for (const [key, fields, status, path] of asked) {
      const response = await submit(keys.full, key, fields);
      const { error } = (await response.json()) as { error: { details?: { path: string }[] } };
      expect([response.status, error.details?.[0]?.path]).toEqual([status, path]);
    }
    expect(await used(full)).toEqual(before);
  });

  test("counts towards its user's month, and stops at the limit", async () => {
    const count = (await used(standard))?.used ?? 0;
    const limit = { firm_id: standard.id, subject: "", name: "germany-enrichments" };
    const act = { actor: "operator", at: world.clock.now() };
    await world.store.write((tx) => limitMonthly(tx, act, limit, count + 1));
    expect((await submit(keys.standard, "p1", ["languages"])).status).toBe(202);
    expect((await submit(keys.standard, "p1", ["languages"])).status).toBe(402);
    await world.idle();
  });

  test("is refused while the capability's gate is closed", async () => {
    await world.closeGate("germany-market-intelligence");
    expect((await submit(keys.full, "p1", ["languages"])).status).toBe(503);
    await world.openGates("germany-market-intelligence");
  });
});
