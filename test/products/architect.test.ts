import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readIntake } from "../../src/products/architect/intake.ts";
import type {
  Blueprint,
  Composition,
  Design,
  Expanded,
  Inventory,
  Recommendations,
} from "../../src/products/architect/schema.ts";
import { goalPhrases, languages, taxonomy, texts } from "../../src/products/architect/taxonomy.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { askArchitect, begun, openArchitect, told, usualIntake } from "../support/architect-world.ts";
import { errorIn, type Firm, refusal, type World } from "../support/harness.ts";

type Told<S extends { static: unknown }> = S["static"];

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const ask = (part: string, body?: unknown, as?: string) => askArchitect(world, firm, part, body, as);
const blueprintOf = (solution_id: string): Promise<Blueprint> => told(ask("blueprint", { solution_id }));
const designOf = (solution_id: string, choices: unknown[] = []): Promise<Design> =>
  told(ask("design", { solution_id, choices }));

describe("the taxonomy", () => {
  test("names only products on offer, and every product on offer serves a need", () => {
    const sold = [...capabilities, ...useCases].map(({ slug }) => slug).sort();
    const named = Object.values(taxonomy.needs).flatMap(({ products }) => Object.keys(products));
    expect([...new Set(named)].sort()).toEqual(sold);
  });

  test("has every text in four languages, with the same placeholders", () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
    for (const [name, said] of Object.entries(texts))
      for (const language of languages)
        expect([name, language, valuesOf(said[language])]).toEqual([name, language, valuesOf(said.en)]);
    for (const { titles } of Object.values(taxonomy.needs)) expect(Object.keys(titles)).toEqual([...languages]);
  });

  test("has its words in the normalised form in which they are looked up", () => {
    const words = Object.values(taxonomy.constraints).flatMap((one) => one.words);
    expect(words.filter((word) => !/^[a-z0-9]([a-z0-9 *-]*)$/.test(word))).toEqual([]);
    const part = String.raw`[a-z0-9-]+\*?(\|[a-z0-9-]+\*?)*`;
    const phrase = new RegExp(`^(\\^ )?${part}( (\\.\\. )?${part})*$`);
    expect(Object.values(goalPhrases).flatMap((phrases) => phrases.filter((one) => !phrase.test(one)))).toEqual([]);
    expect(Object.keys(goalPhrases)).toEqual(Object.keys(taxonomy.needs));
  });
});

describe("an intake", () => {
  test.each([
    ["CZ", "CZ"],
    [" de ", "DE"],
    ["Germany", "DE"],
    ["Deutschland", "DE"],
    ["Německo", "DE"],
    ["Nemecko", "DE"],
    ["DEU", "DE"],
    ["Czech Republic", "CZ"],
    ["Česko", "CZ"],
    ["georgia", "GE"],
    ["Gruzie", "GE"],
    ["Österreich", "AT"],
    ["UK", "GB"],
    ["EU", "EU"],
  ])("accepts a country by code and by name: %s", async (country, code) => {
    const found = await begun(world, firm, { country });
    expect(found.missing.map(({ field }) => field)).not.toContain("country");
    const kept = await told<{ intake: { country: string } }>(
      world.ask(`/v1/solution-architect/resume/${found.resume_token}`, { as: firm.key }),
    );
    expect(kept.intake.country).toBe(code);
  });

  test.each(["Ge rmany", "Atlantis", "XX", "12"])("asks again about an unknown country: %s", async (country) => {
    const goals = ["Check advice records for compliance"];
    const found = await begun(world, firm, { country, goals });
    const [question] = found.missing.filter(({ field }) => field === "country");
    expect(question?.question).toContain(`“${country}”`);
    const { matrix } = await blueprintOf(found.solution_id);
    expect(matrix.flatMap(({ reasons }) => reasons.map(({ code }) => code))).not.toContain("country");
  });

  test("with an unpaired surrogate in a text is refused, because it could not be stored", async () => {
    const [text] = Object.entries(usualIntake).filter(([, value]) => typeof value === "string" && value.includes(" "));
    const asked = await ask("intake", { ...usualIntake, [text?.[0] ?? ""]: `${text?.[1]}\ud800` });
    expect(await refusal(asked)).toEqual([422, "validation_error"]);
  });

  const goals = [
    ["en", "CZ", "We want to answer customers' questions about our terms", "Where will people use it?"],
    ["cs", "CZ", "Chceme odpovídat na dotazy, které klienti mají k pojistným podmínkám", "Kde to lidé budou používat?"],
    ["sk", "SK", "Chceme odpovedať na otázky, ktoré klienti majú k poistným podmienkam", "Kde to ľudia budú používať?"],
    [
      "de",
      "DE",
      "Wir wollen die Fragen der Kunden zu unseren Versicherungsbedingungen beantworten",
      "Wo wird es benutzt?",
    ],
  ] as const;
  for (const [language, country, goal, question] of goals)
    test(`in ${language} recognises the need and asks in that language about missing information`, async () => {
      const found = await begun(world, firm, { country, goals: [goal], channels: [] });
      expect(found.language).toBe(language);
      expect(found.needs.map(({ id }) => id)).toContain("sourced_answers");
      expect(found.missing.find(({ field }) => field === "channels")?.question).toStartWith(question);
    });

  test.each([
    ["en", "Test a price"],
    ["en", "Test a hypothesis on personas"],
    ["en", "Understand a company's offer"],
    ["en", "Check a broker's advice"],
    ["cs", "Zkontrolovat záznamy poradců"],
    ["de", "In den deutschen Markt eintreten"],
  ] as const)("is answered in %s, whatever the firm's country is: %s", (language, goal) => {
    for (const country of ["CZ", "DE", "SK", "FR", ""])
      expect([country, readIntake({ ...usualIntake, country, goals: [goal] }).language]).toEqual([country, language]);
  });

  test("reports that it is complete, or each thing that is missing", async () => {
    const whole = await begun(world, firm, { constraints: ["no named people"], budget_credits: 100 });
    expect([whole.completeness, whole.missing]).toEqual([1, []]);
    const bare = { company: " ", country: "", industry: "", goals: ["xyzzy"], channels: [], data_sources: [] };
    const empty = await begun(world, firm, { ...bare, consent: false });
    expect(empty.completeness).toBe(0);
    expect(empty.missing.map(({ field }) => field).sort()).toEqual(
      [
        "goals",
        "company",
        "country",
        "industry",
        "constraints",
        "channels",
        "data_sources",
        "budget_credits",
        "consent",
      ].sort(),
    );
  });

  test("without consent gets no token", async () => {
    expect((await begun(world, firm, { consent: false })).resume_token).toBeNull();
  });

  test("with two constraints that exclude each other reports them and asks which one applies", async () => {
    const constraints = ["Fully automatic, without approval", "A person must approve each output"];
    const found = await begun(world, firm, { constraints });
    expect(found.contradictions.map(({ between }) => between)).toEqual([constraints]);
    expect(found.missing[0]).toMatchObject({
      field: "constraints",
      question: expect.stringContaining("Which of them"),
    });
  });

  test("with an unrecognised goal keeps it, and no response claims that no product serves it", async () => {
    const { solution_id, needs } = await begun(world, firm, { goals: ["xyzzy plugh"] });
    expect(needs).toMatchObject([{ id: "unrecognised-1", title: "“xyzzy plugh”", known: false }]);
    const { unserved, matrix } = await blueprintOf(solution_id);
    expect(unserved).toMatchObject([
      { need: "unrecognised-1", reason: expect.stringContaining("This goal was not recognised.") },
    ]);
    expect(new Set(matrix.flatMap(({ reasons }) => reasons.map(({ code }) => code)))).toEqual(
      new Set(["not_recognised"]),
    );
    const { markdown } = await told<Composition>(ask("compose", { solution_id }));
    const { details } = await told<Told<typeof Expanded>>(ask("expand", { solution_id, section: "needs" }));
    expect(markdown + details).not.toMatch(/Nothing in the catalogue|for something else/);
  });

  test("with a goal that no product serves reports that", async () => {
    const { solution_id } = await begun(world, firm, { goals: ["Handle claims"] });
    const { unserved } = await blueprintOf(solution_id);
    expect(unserved).toMatchObject([{ need: "claims", reason: "Nothing in the catalogue serves this need." }]);
  });

  for (const [name, change] of [
    ["eleven goals", { goals: Array(11).fill("answer") }],
    ["a goal of 1,001 characters", { goals: ["a".repeat(1001)] }],
    ["a negative budget", { budget_credits: -1 }],
    ["an unknown property", { other: 1 }],
  ] as const)
    test(`with ${name} is 422`, async () => {
      expect(await refusal(await ask("intake", { ...usualIntake, ...change }))).toEqual([422, "validation_error"]);
    });
});

describe("the inventory", () => {
  test("is the catalogue as currently sold, with the registry's texts and prices", async () => {
    const { products } = await told<Told<typeof Inventory>>(ask("inventory"));
    expect(products.map(({ slug }) => slug)).toEqual([...useCases, ...capabilities].map(({ slug }) => slug));
    const validator = products.find(({ slug }) => slug === "market-validator");
    const sold = capabilities.find(({ slug }) => slug === "market-validator");
    expect(validator).toMatchObject({
      name: sold?.name ?? "",
      outcome: sold?.outcome ?? "",
      maximum_credits: sold?.pricing.live_credits ?? -1,
    });
    const pack = products.find(({ slug }) => slug === "european-market-entry-pack");
    expect(pack).toMatchObject({ maximum_credits: 28_000, runnable: false, approvals: [{ step: "targets" }] });
  });
});

describe("a blueprint", () => {
  test("gives each need and product a verdict with its reason", async () => {
    const { solution_id } = await begun(world, firm, { goals: [usualIntake.goals[0] ?? "", "Hire new advisers"] });
    const { needs, products, matrix } = await blueprintOf(solution_id);
    expect(matrix).toHaveLength(needs.length * products.length);
    expect(matrix.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
    expect(matrix.find((one) => one.product === "exa-filter" && one.need === "hiring_advisers")).toMatchObject({
      verdict: "refused",
      reasons: [{ code: "other_outcome" }],
    });
  });

  const refused = [
    [
      "of another country",
      { goals: ["Check advice records for compliance"], country: "FR" },
      "afa-assurance",
      "country",
    ],
    [
      "that requires approval",
      { goals: ["Enter the German market"], constraints: ["No approval"] },
      "european-market-entry-pack",
      "no_approval",
    ],
    [
      "that names persons",
      { goals: ["Enter the German market"], constraints: ["No personal data"] },
      "european-market-entry-pack",
      "no_named_people",
    ],
    [
      "that costs credits if only free ones are allowed",
      { goals: ["Test a hypothesis"], constraints: ["Free of charge"] },
      "market-validator",
      "free_only",
    ],
    [
      "without the firm's entitlement",
      { goals: ["Who distributes: intermediaries"] },
      "distribution-intelligence",
      "entitlement",
    ],
  ] as const;
  for (const [name, change, product, code] of refused)
    test(`refuses a product ${name}, with the reason`, async () => {
      const { solution_id } = await begun(world, firm, {
        ...change,
        goals: [...change.goals],
        constraints: "constraints" in change ? [...change.constraints] : [],
      });
      const { matrix } = await blueprintOf(solution_id);
      const found = matrix.filter(
        (one) => one.product === product && one.reasons.some((reason) => reason.code === code),
      );
      expect(found.map(({ verdict }) => verdict)).toEqual(["refused"]);
    });
});

describe("a design", () => {
  test("connects channels, sources, products, approvals and results, at the registry's price", async () => {
    const goals = ["Enter the German market with a plan", "Send a newsletter"];
    const { solution_id } = await begun(world, firm, { goals, data_sources: ["https://example.com"] });
    const choices = [{ need: "market_entry", product: "european-market-entry-pack" }];
    const design = await designOf(solution_id, choices);
    const ids = new Set(design.nodes.map(({ id }) => id));
    expect(design.edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    expect(design.approvals).toMatchObject([{ product: "european-market-entry-pack", step: "targets" }]);
    expect(design.edges).toContainEqual(
      expect.objectContaining({
        from: "product:european-market-entry-pack",
        to: "approval:european-market-entry-pack:targets",
      }),
    );
    expect(design.price.lines).toContainEqual(
      expect.objectContaining({ product: "european-market-entry-pack", maximum_credits: 28_000 }),
    );
    expect(design.permissions).toContain("use-cases:run");
    expect(design.unserved.map(({ need }) => need)).toContain("outreach");
  });

  test("keeps the choices made, and null leaves a need out", async () => {
    const { solution_id } = await begun(world, firm);
    await designOf(solution_id, [{ need: "sourced_answers", product: "insurance-assistant" }]);
    const composed = await told<Composition>(ask("compose", { solution_id }));
    expect(composed.price.lines.map(({ product }) => product)).toEqual(["insurance-assistant"]);
    const without = await designOf(solution_id, [{ need: "sourced_answers", product: null }]);
    expect([without.chosen, without.unserved.map(({ need }) => need)]).toEqual([[], ["sourced_answers"]]);
  });

  for (const [name, choices, path] of [
    ["for a need that it does not have", [{ need: "claims", product: null }], "/body/choices/0/need"],
    ["of an unknown product", [{ need: "sourced_answers", product: "nothing" }], "/body/choices/0/product"],
    ["of a refused product", [{ need: "sourced_answers", product: "eu-market-data" }], "/body/choices/0/product"],
    ["made twice", Array(2).fill({ need: "sourced_answers", product: null }), "/body/choices/1/need"],
  ] as const)
    test(`with a choice ${name} is 422 at its path`, async () => {
      const { solution_id } = await begun(world, firm);
      const { code, details } = await errorIn(await ask("design", { solution_id, choices }));
      expect([code, details?.[0]?.path]).toEqual(["validation_error", path]);
    });
});

describe("recommendations", () => {
  const told2 = (solution_id: string): Promise<Recommendations> => told(ask("recommendations", { solution_id }));

  test("show the parts of each score, which add up to it, the best first", async () => {
    const { solution_id } = await begun(world, firm, { goals: ["Test a hypothesis", ...usualIntake.goals] });
    const { options, alternatives } = await told2(solution_id);
    for (const { score, parts } of options)
      expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 1);
    expect(options.map(({ score }) => score)).toEqual(options.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(alternatives.length).toBeGreaterThan(0);
  });

  test("report that no option meets the budget, and by how much", async () => {
    const { solution_id } = await begun(world, firm, { goals: ["Test a hypothesis"], budget_credits: 10 });
    const { budget, options } = await told2(solution_id);
    expect(options.map(({ price }) => price.within_budget)).toEqual(options.map(() => false));
    const cost = Math.min(...options.map(({ price }) => price.maximum_credits));
    expect(budget).toMatchObject({ credits: 10, met: false, note: expect.stringContaining(`${cost - 10} too few`) });
  });
});

describe("a composition", () => {
  test("is the same for the same needs, products and prices, and passes its own checks", async () => {
    const { solution_id } = await begun(world, firm);
    const [one, other] = [
      await told<Composition>(ask("compose", { solution_id })),
      await told<Composition>(ask("compose", { solution_id })),
    ];
    expect(one).toEqual(other);
    expect(one.checks.filter(({ passed }) => !passed)).toEqual([]);
    for (const { title } of one.sections) expect(one.markdown).toContain(`## ${title}`);
  });

  test("shows a caller's text as text, whatever markup it has", async () => {
    const { solution_id } = await begun(world, firm, { company: "<script>alert(1)</script> [x](javascript:y)" });
    const { markdown } = await told<Composition>(ask("compose", { solution_id }));
    expect(markdown).not.toContain("<script>");
    expect(markdown).not.toContain("[x](");
  });

  test("calls no constraint checked that is not enforced", async () => {
    const constraints = ["No personal data", "Everything must be blue"];
    const { solution_id } = await begun(world, firm, { constraints });
    const { markdown } = await told<Composition>(ask("compose", { solution_id }));
    expect(markdown).toContain("- Checked: No personal data");
    expect(markdown).toContain("- Not checked, for a person to judge: Everything must be blue");
  });

  test("is expanded by section, and an unknown section is 422 with the valid names", async () => {
    const { solution_id } = await begun(world, firm);
    const { section, details } = await told<Told<typeof Expanded>>(ask("expand", { solution_id, section: "needs" }));
    expect(section.id).toBe("needs");
    expect(details).toContain("Refused:");
    const { details: places } = await errorIn(await ask("expand", { solution_id, section: "nothing" }));
    expect(places?.[0]).toMatchObject({ path: "/body/section", message: expect.stringContaining("summary") });
  });
});

test("another firm's solution is treated as missing on every route", async () => {
  const other = await world.firm();
  const { solution_id } = await begun(world, firm);
  const more: Record<string, object> = {
    design: { choices: [] },
    expand: { section: "needs" },
    unlock: { email: "a@b.example", consent: true },
  };
  for (const part of ["blueprint", "design", "recommendations", "compose", "compose/stream", "expand", "unlock"]) {
    const body = (id: string) => ({ solution_id: id, ...more[part] });
    const theirs = await ask(part, body(solution_id), other.key);
    const missing = await ask(part, body(crypto.randomUUID()), other.key);
    expect([part, theirs.status, await theirs.text()]).toEqual([part, 404, await missing.text()]);
  }
  const key = await world.key(firm, ["account:read"], { workspace: firm.workspaces[1] });
  expect(await refusal(await ask("blueprint", { solution_id }, key.secret))).toEqual([404, "not_found"]);
});
