import { describe, expect, test } from "bun:test";
import { markdownOf } from "../../src/products/documents/markdown.ts";
import { documentPage } from "../../src/surfaces/documents/page.ts";
import { refusal } from "../support/harness.ts";
import { packFirm, packInput, packWorld, restingPack, restingRun } from "../support/pack-world.ts";

const given: [slug: string, input: object][] = [
  ["sourced-insurance-answers", { question: "Is theft of a bicycle from a locked cellar covered?", country: "CZ" }],
  [
    "validate-before-shipping",
    { hypothesis: "Cyclists fear theft. We offer theft cover in an app for 4 EUR a month.", market: "CZ" },
  ],
  [
    "advice-assurance-check",
    { question: "Is it safe?", answer: "It is a guaranteed return without any risk <b>for you</b>.", check: "full" },
  ],
  [
    "advisor-talent-fit",
    { role_title: "Insurance adviser", analysis_goal: "Advise families on life insurance and keep records." },
  ],
  ["eu-market-snapshot", { question: "Population and GDP per head", countries: ["CZ", "DE"] }],
  ["company-market-brief", { company_url: "http://www.firm.cz/" }],
];

describe("a finished run", () => {
  test("has its document in Markdown and as a page, with all of its parts", async () => {
    await using world = await packWorld();
    await world.openGates("insurance-assistant", "afa-assurance", ...given.map(([slug]) => slug));
    const firm = await packFirm(world);
    for (const [slug, input] of given) {
      const { id } = await world.accepted(firm, { useCase: slug, input });
      const { status } = await restingRun(world, firm, id);
      const ended = slug === "company-market-brief" ? "failed" : "succeeded";
      expect([slug, status]).toEqual([slug, ended]);
      const parts = [
        ...["What was asked", ended === "failed" ? "How it ended" : "What was found"],
        ...["Limitations", "Steps and credits", "Receipt"],
      ];
      const markdown = await world.ask(`/v1/runs/${id}/document`, { as: firm.key });
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const text = await markdown.text();
      const html = await world.ask(`/v1/runs/${id}/document`, { as: firm.key, headers: { accept: "text/html" } });
      expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
      const page = await html.text();
      for (const part of parts) {
        expect(text).toContain(`## ${part}\n`);
        expect(page).toContain(`<h2>${part}</h2>`);
      }
      expect(text).toContain(`/v1/runs/${id}/receipt`);
      expect(page).not.toContain("<b>for you</b>");
    }
  });

  test("shows its document to its tenant only, and only after it has finished", async () => {
    await using world = await packWorld();
    const [firm, other] = [await packFirm(world), await packFirm(world)];
    const { id } = await restingPack(world, firm, packInput);
    const path = `/v1/runs/${id}/document`;
    expect(await refusal(await world.ask(path, { as: firm.key }))).toEqual([409, "run_not_finished"]);
    expect(await refusal(await world.ask(path, { as: other.key }))).toEqual([404, "not_found"]);
    expect((await world.ask(path)).status).toBe(401);
    expect((await world.ask(`${path}?format=pdf`, { as: firm.key })).status).toBe(422);
    const { secret } = await world.key(firm, ["use-cases:run"]);
    expect(await refusal(await world.ask(path, { as: secret }))).toEqual([403, "missing_scope"]);
  });

  test("shows every text as text in both forms", () => {
    const wicked = "<script>x</script> | [a](http://b) `c` # d\n- e";
    const document = {
      ...{ language: "en" as const, title: wicked, subtitle: wicked },
      sections: [
        {
          ...{ heading: wicked, step: wicked },
          blocks: [
            { kind: "paragraph" as const, text: wicked },
            { kind: "list" as const, items: [wicked] },
            { kind: "table" as const, caption: wicked, columns: [wicked], rows: [[wicked]] },
            { kind: "bars" as const, caption: wicked, bars: [{ label: wicked, value: 0, shown: wicked }] },
          ],
        },
      ],
    };
    expect(documentPage(document)).not.toContain("<script>");
    const markdown = markdownOf(document);
    expect(markdown).not.toMatch(/(?<!\\)<script/);
    expect(markdown).not.toMatch(/(?<!\\)\[a/);
    expect(
      markdown
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .every((line) => line.endsWith("|")),
    ).toBe(true);
  });
});
