import { describe, expect, test } from "bun:test";
import type { Firm, World } from "../../support/harness.ts";
import { audienceOf, bicycles, ordered, resultOf, validatorWorld } from "../../support/validator-world.ts";

async function studied(world: World, firm: Firm, given: object = {}): Promise<string> {
  const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm, 20), ...given });
  await world.idle();
  return id;
}

const open = (world: World, id: string, as?: string, language = "en") =>
  world.ask(`/console/validations/${id}`, { as, headers: { "accept-language": language } });

describe("a study's page", () => {
  test("shows verdict, interval, both plots, segments, objections and the reliability card", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const id = await studied(world, firm, { decision_size: "XL" });
    const { verdict, summary, report } = await resultOf(world, firm, id);
    const response = await open(world, id, firm.people.approver.token);
    const page = await response.text();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).toContain(`<strong>${verdict}</strong>`);
    expect(page).toContain(String(summary).slice(0, 30));
    expect(page.match(/<svg /g)?.length).toBe(2);
    expect(page).toContain("80 % interval of the intent");
    for (const { label } of [...(report?.segments ?? []), ...(report?.objections ?? [])])
      expect(page).toContain(label.replaceAll("'", "&#39;"));
    expect(page).toContain("Simulated people, not a survey.");
    expect(page).toContain(report?.card.seed ?? "no seed");
    expect(page).not.toContain("undefined");
    expect(page).not.toContain("NaN");
  });

  test("speaks the reader's language", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const id = await studied(world, firm);
    const titles = { en: "Validation", cs: "Validace", sk: "Validácia", de: "Validierung" };
    for (const [language, title] of Object.entries(titles))
      expect(await (await open(world, id, firm.key, language)).text()).toContain(`<h1>${title}</h1>`);
  });

  test("sends whoever is not signed in to the sign-in, and back", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const id = await studied(world, firm);
    const response = await open(world, id);
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "", `http://assay.test/console/validations/${id}`);
    expect(location.pathname).toBe("/sign-in");
    expect(location.searchParams.get("redirect_to")).toBe(`http://assay.test/console/validations/${id}`);
  });

  test("shows a text of the caller as text, whatever it looks like", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const hypothesis = `<script>alert(1)</script> & "Parents" need <b>an app</b> for 4 EUR a month`;
    const id = await studied(world, firm, { hypothesis });
    const page = await (await open(world, id, firm.key)).text();
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("<b>");
    expect(page).toContain("&lt;script&gt;");
  });

  test("is not there for another firm, an unknown id, and without the scope", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const id = await studied(world, firm);
    const bare = (await world.key(firm, ["docs:read"])).secret;
    expect((await open(world, id, other.key)).status).toBe(404);
    expect((await open(world, crypto.randomUUID(), firm.key)).status).toBe(404);
    expect((await open(world, "1", firm.key)).status).toBe(422);
    expect((await open(world, id, bare)).status).toBe(403);
  });

  test("tells how far a study is that still runs", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 50);
    const id = await ordered(world, firm, { audience_id, hypothesis: bicycles });
    const page = await (await open(world, id, firm.key)).text();
    expect(page).toMatch(/It is running: \d+ of 50 personas have answered/);
  });
});
