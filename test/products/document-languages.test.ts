import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { summaryIn } from "../../src/products/capabilities/eu-market-data/summary.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { answerLanguages } from "../../src/products/datasets/question-language.ts";
import { phrases } from "../../src/products/documents/phrase-book.ts";
import { ownWords } from "../../src/products/documents/phrases.ts";
import { documentWords, voiceIn } from "../../src/products/documents/voice.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import type { CapabilityDefinition, UseCaseManifest } from "../../src/registry/contract.ts";
import { reasonMessage, reasonMessages } from "../../src/runs/reasons.ts";
import type { Run } from "../../src/runs/schema.ts";
import { filler, profileOf } from "../support/company-sites.ts";
import type { Firm, World } from "../support/harness.ts";
import { packFirm, packInput, packWorld, restingPack, restingRun } from "../support/pack-world.ts";
import { sendDecision } from "../support/shortlist.ts";

const others = answerLanguages.filter((language) => language !== "en");
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();

/** Returns a schema and all its subschemas. */
function schemasIn(schema: TSchema): TSchema[] {
  const below: TSchema[] = [...Object.values<TSchema>(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  return [schema, ...[...below, ...(schema.items ? [schema.items] : [])].flatMap(schemasIn)];
}

const meaningsIn = (schema: TSchema): string[] =>
  schemasIn(schema).flatMap(({ description }) => (description === undefined ? [] : [description]));

/** Returns the names in a form: its fields, and the values that are words rather than codes. */
const namesIn = (schema: TSchema): string[] =>
  schemasIn(schema).flatMap(({ properties, enum: values = [] }) =>
    [...Object.keys(properties ?? {}), ...values].filter((name) => name !== name.toUpperCase()),
  );

const textsOfCapability = (sold: CapabilityDefinition): string[] => [
  ...[sold.outcome, sold.description, sold.evidence_freshness, sold.pricing.charging_unit],
  ...[...sold.limitations, ...sold.sources, ...sold.trial.restrictions],
  ...[...meaningsIn(sold.input_schema), ...meaningsIn(sold.output_schema)],
];

const textsOfUseCase = (sold: UseCaseManifest): string[] => [
  ...[sold.outcome, sold.description, sold.evidence_freshness],
  ...[...sold.limitations, ...sold.delivered_results, ...meaningsIn(sold.input_schema)],
  // The only step of a use case with one capability has that capability's name.
  ...(sold.steps.length === 1 ? [] : sold.steps.map(({ title }) => title)),
];

/**
 * Returns headings, captions, columns and notes on steps of a Markdown document, without the title, the product's name.
 */
function headingsOf(markdown: string): Set<string> {
  const lines = markdown.split("\n");
  const columns = lines.filter((_, i) => lines[i + 1]?.startsWith("| ---")).flatMap((row) => row.split(" | "));
  const marked = lines.filter((line) => /^(## |\*[^*]+\*$)/.test(line));
  return new Set([...marked, ...columns].map((text) => text.replace(/^[#*| ]+|[*| ]+$/g, "")).filter((text) => text));
}

/** The same for a page. */
function headingsOn(page: string): Set<string> {
  const tags = /<(h2|caption|figcaption|th scope="col"|p class="quiet")>([^<]*)</g;
  const [, ...found] = [...page.matchAll(tags)].map(([, , text = ""]) => text);
  return new Set(found.filter((text) => text));
}

async function documentIn(world: World, firm: Firm, { id }: Pick<Run, "id">, query: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { headers: { "accept-language": accepted } };
  const answer = await world.ask(`/v1/runs/${id}/document?${query}`, { as: firm.key, ...headers });
  expect([answer.status, answer.headers.get("vary")]).toEqual([200, "accept, accept-language"]);
  return answer.text();
}

async function expectNoEnglish(world: World, firm: Firm, run: Pick<Run, "id">): Promise<void> {
  const english = headingsOf(await documentIn(world, firm, run, "format=md&lang=en"));
  expect(english.size).toBeGreaterThan(8);
  for (const language of others) {
    const markdown = headingsOf(await documentIn(world, firm, run, `format=md&lang=${language}`));
    expect([language, [...markdown].filter((text) => english.has(text))]).toEqual([language, []]);
    expect(markdown.size).toBe(english.size);
    const page = await documentIn(world, firm, run, `format=html&lang=${language}`);
    expect(page).toContain(`<html lang="${language}">`);
    const escaped = headingsOn(await documentIn(world, firm, run, "format=html&lang=en"));
    expect([language, [...headingsOn(page)].filter((text) => escaped.has(text))]).toEqual([language, []]);
    expect(headingsOn(page).size).toBeGreaterThan(8);
  }
}

const given: [slug: string, input: object][] = [
  ["sourced-insurance-answers", { question: "Is theft of a bicycle from a locked cellar covered?", country: "CZ" }],
  ["advice-assurance-check", { question: "Is it safe?", answer: "It is a guaranteed return.", check: "full" }],
  ["advisor-talent-fit", { role_title: "Insurance adviser", analysis_goal: "Advise families on life insurance." }],
  ["eu-market-snapshot", { question: "Population and GDP per head", countries: ["CZ", "DE"] }],
  ["company-market-brief", { company_url: "http://www.firm.cz/" }],
];

describe("the words of documents", () => {
  test.each([...others])("are in %s what they are in English, with the same placeholders", (language) => {
    const { limitations_wording: _, ...english } = documentWords.en;
    for (const [key, text] of Object.entries(english)) {
      const own = documentWords[language][key as keyof typeof english];
      expect([key, placeholders(own)]).toEqual([key, placeholders(text)]);
      expect([key, own]).not.toEqual([key, text]);
    }
  });

  test("format numbers, shares and dates by the rules of each language", () => {
    const written = answerLanguages.map((language) => {
      const { number, percent, date } = voiceIn(language);
      return [number(12_345.678), percent(0.5), date("2026-11-02T07:08:09Z")].map((text) => text.replace(/\s/g, " "));
    });
    expect(written).toEqual([
      ["12,345.68", "50%", "November 2, 2026 at 7:08:09 AM UTC"],
      ["12 345,68", "50 %", "2. listopadu 2026 v 7:08:09 UTC"],
      ["12 345,68", "50 %", "2. novembra 2026 o 7:08:09 UTC"],
      ["12.345,68", "50 %", "2. November 2026 um 07:08:09 UTC"],
    ]);
  });
});

describe("the product's own sentences", () => {
  test("are in each language, with the same placeholders, once each", () => {
    for (const list of [phrases.sentences, phrases.terms]) {
      expect(new Set(list.map(({ en }) => en)).size).toBe(list.length);
      for (const { en, ...rest } of list)
        for (const other of others)
          expect([en, other, placeholders(rest[other])]).toEqual([en, other, placeholders(en)]);
    }
  });

  test("include every text of the catalogue that people read, except product names", () => {
    const texts = [...capabilities.flatMap(textsOfCapability), ...useCases.flatMap(textsOfUseCase)];
    expect(texts.length).toBeGreaterThan(150);
    for (const language of others) {
      const { knows } = voiceIn(language);
      expect(texts.filter((text) => !knows(text))).toEqual([]);
    }
  });

  test("include every reason for the end of a run, and every note on a company's pages", async () => {
    const { notes = [] } = await profileOf({ "/": `<title></title>${filler}` });
    expect(notes).toHaveLength(3);
    for (const text of [...notes, ...Object.values(reasonMessages), reasonMessage("unheard-of")])
      for (const language of others) expect([text, voiceIn(language).knows(text)]).toEqual([text, true]);
  });

  test("include every field of a form, and its choices", () => {
    const names = [...capabilities, ...useCases].flatMap(({ input_schema }) => namesIn(input_schema));
    expect(names.length).toBeGreaterThan(30);
    for (const language of others)
      expect(names.filter((name) => ownWords(name, "term", language) === null)).toEqual([]);
  });

  test("include every reason for which a site can't be read, as given by the guard and the site reader", async () => {
    const root = join(import.meta.dir, "..", "..", "src");
    const reader = "products/capabilities/company-intelligence";
    const files = [`${reader}/site.ts`, `${reader}/robots.ts`, `${reader}/read-page.ts`];
    files.push(...new Bun.Glob("integrations/outbound/*.ts").scanSync(root));
    const sources = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()));
    const found = sources.flatMap((source) => [...source.matchAll(/"([A-Z][^"]+\.)"|`([A-Z][^`]+\.)`/g)]);
    const texts = found.map(([, fixed, filled = ""]) => fixed ?? filled.replace(/\$\{\w+\}/, "503"));
    expect(texts.length).toBeGreaterThan(35);
    for (const text of texts)
      for (const language of others) expect([text, voiceIn(language).knows(text)]).toEqual([text, true]);
  });

  test("insert their values unchanged", () => {
    const { own, term } = voiceIn("cs");
    expect(own("/about was not read: site_unreachable.")).toBe("Stránka /about nebyla přečtena: site_unreachable.");
    expect(own("312 rows do not meet: persons: 5 to 50")).toBe("Řádky, které nesplňují „počet osob: 5 až 50“: 312");
    expect(own("No universe of firms is imported for Austria.")).toEndWith("není importován seznam firem: Rakousko.");
    expect(term("sector: broker or bank")).toBe("obor: makléř nebo banka");
    for (const text of ["From 5 to 50 brokers.", "bank", "", "{page} was", "It opens at 9 to 5 or later."])
      expect(own(text)).toBe(text);
  });

  test("of a market answer are rewritten from its figures, or stay as they are", () => {
    const figure = { unit: "persons", period: "2024", rank: null, change: null, growth_percent: null };
    const rest = { compared_period: null, source: { publisher: "P", code: "c", url: null }, reliability: "B" as const };
    const aggregates = [{ ...figure, ...rest, indicator: "population", country: "DE", value: 83_516_593, flags: [] }];
    const stored = "Population, persons, 2024: Germany 83,516,593.";
    const german = "Bevölkerung, Personen, 2024: Deutschland 83.516.593.";
    expect(summaryIn("de", stored, aggregates)).toBe(german);
    expect(summaryIn("en", german, aggregates)).toBe(stored);
    expect(summaryIn("de", `${stored} Beer is never held.`, aggregates)).toBeNull();
    expect(summaryIn("de", "Nothing was found.", [])).toBeNull();
  });
});

describe("a document in another language", () => {
  test("has no sentence of the product's own left in English", async () => {
    await using world = await packWorld();
    await world.openGates("insurance-assistant", "afa-assurance", ...given.map(([slug]) => slug));
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm, packInput);
    await sendDecision(world, firm, waiting, { decision: "approve" });
    const ids = [waiting.id];
    for (const [useCase, input] of given) ids.push((await world.accepted(firm, { useCase, input })).id);
    const fixed = phrases.sentences.flatMap(({ en }) => en.split(/\{\w+\}/)).filter((text) => text.length > 20);
    for (const id of ids) {
      const run = await restingRun(world, firm, id);
      const english = (await documentIn(world, firm, run, "format=md&lang=en")).replaceAll("\\", "");
      expect(fixed.some((text) => english.includes(text))).toBe(true);
      for (const language of others) {
        const markdown = (await documentIn(world, firm, run, `format=md&lang=${language}`)).replaceAll("\\", "");
        expect([language, fixed.filter((text) => markdown.includes(text))]).toEqual([language, []]);
        expect(markdown).not.toContain(documentWords[language].limitations_wording);
      }
    }
  }, 600_000);

  test("states the language of an engine's own words if it differs", async () => {
    await using world = await packWorld();
    await world.openGates("afa-assurance", ...given.map(([slug]) => slug));
    const firm = await packFirm(world);
    // For the assurance check and the talent fit, both the findings and the evidence are the engine's words.
    for (const [useCase, input] of given.slice(1, 3)) {
      const run = await restingRun(world, firm, (await world.accepted(firm, { useCase, input })).id);
      const german = await documentIn(world, firm, run, "format=md&lang=de");
      expect([useCase, german.split("geantwortet hat: Englisch.").length - 1]).toEqual([useCase, 2]);
      expect(await documentIn(world, firm, run, "format=md&lang=en")).not.toContain("answered in:");
    }
  });

  test("has no English heading left, in Markdown or on a page", async () => {
    await using world = await packWorld();
    await world.openGates("insurance-assistant", "afa-assurance", ...given.map(([slug]) => slug));
    const firm = await packFirm(world);
    for (const [slug, input] of given) {
      const { id } = await world.accepted(firm, { useCase: slug, input });
      await expectNoEnglish(world, firm, await restingRun(world, firm, id));
    }
  });

  test("is the pack's report rewritten, whether its targets were approved or rejected", async () => {
    await using world = await packWorld();
    for (const body of [{ decision: "approve" }, { decision: "reject", comment: "not now" }]) {
      const firm = await packFirm(world);
      const waiting = await restingPack(world, firm, packInput);
      await sendDecision(world, firm, waiting, body);
      const run = await restingRun(world, firm, waiting.id);
      await expectNoEnglish(world, firm, run);
      const german = await documentIn(world, firm, run, "lang=de");
      expect(german).toContain("## Die möglichen Märkte im Vergleich\n");
      expect(german).toContain("Deutschland");
      const withheld = body.decision === "approve" ? "Nichts wurde zurückgehalten." : "Die qualifizierten Ziele: ";
      expect(german).toContain(withheld);
    }
  });

  test("is in the requested language, else the result's, else the reader's, else English", async () => {
    await using world = await packWorld();
    await world.openGates(...given.map(([slug]) => slug), "insurance-assistant");
    const firm = await packFirm(world);
    const runOf = async (useCase: string, input: object) =>
      restingRun(world, firm, (await world.accepted(firm, { useCase, input })).id);
    const goal = "Der Berater soll Familien zu Lebensversicherungen beraten und die Gespräche dokumentieren.";
    const found = await runOf("advisor-talent-fit", { role_title: "Versicherungsberater", analysis_goal: goal });
    const question = "Is theft of a bicycle from a locked cellar covered?";
    const told = await runOf("sourced-insurance-answers", { question, country: "CZ", language: "cs" });
    const untold = await runOf("eu-market-snapshot", { question: "Population", countries: ["CZ"] });
    const asked = (words: keyof typeof documentWords) => `## ${documentWords[words].asked}\n`;
    expect(await documentIn(world, firm, told, "lang=sk", "de")).toContain(asked("sk"));
    expect(await documentIn(world, firm, told, "", "de")).toContain(asked("cs"));
    expect(await documentIn(world, firm, found, "", "cs")).toContain(asked("de"));
    expect(await documentIn(world, firm, untold, "", "fr, de;q=0.5")).toContain(asked("de"));
    expect(await documentIn(world, firm, untold, "", "fr")).toContain(asked("en"));
    const path = `/v1/runs/${untold.id}/document?lang=fr`;
    expect((await world.ask(path, { as: firm.key })).status).toBe(422);
  });
});
