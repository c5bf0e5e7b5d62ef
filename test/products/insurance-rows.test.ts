import { describe, expect, test } from "bun:test";
import type { SearchLanguage } from "../../src/knowledge/language/languages.ts";
import { chosen } from "../../src/products/capabilities/insurance-assistant/compose.ts";
import { intentOf } from "../../src/products/capabilities/insurance-assistant/question.ts";
import { supportFor } from "../../src/products/capabilities/insurance-assistant/support.ts";
import { weighed } from "../../src/products/capabilities/insurance-assistant/weigh.ts";
import { foundChunk } from "../support/chunks.ts";

interface Table {
  readonly language: SearchLanguage;
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Builds a table as it is imported, with its column's name before each cell. */
function found({ language, heading, columns, rows }: Table) {
  const lines = rows.map((cells) => cells.map((cell, at) => `${columns[at]}: ${cell}`).join("; "));
  const chunk = foundChunk({ id: 1, text: lines.join("\n"), heading });
  return { ...chunk, document: { ...chunk.document, language } };
}

const quoted = (table: Table, question: string): string[] => {
  const { language } = table;
  const { sentences } = supportFor({ question, language, intent: intentOf(question), chunks: [found(table)] });
  return chosen(sentences).map(({ sentence }) => sentence.quote);
};

const trades = {
  cs: {
    language: "cs",
    heading: "Roční pojistné podle oboru",
    columns: ["Obor", "Limit 1 mil. Kč", "Limit 5 mil. Kč"],
    rows: [
      ["Zedník", "2 900", "5 400"],
      ["Elektrikář", "3 600", "6 900"],
      ["Kadeřník", "1 200", "2 300"],
    ],
  },
  sk: {
    language: "sk",
    heading: "Ročné poistné podľa odboru",
    columns: ["Odbor", "Limit 50 000 eur", "Limit 100 000 eur"],
    rows: [
      ["Murár", "120", "190"],
      ["Elektrikár", "150", "240"],
      ["Kaderník", "60", "90"],
    ],
  },
  de: {
    language: "de",
    heading: "Jahresprämie nach Beruf",
    columns: ["Beruf", "Limit 1 Mio. EUR", "Limit 5 Mio. EUR"],
    rows: [
      ["Maurer", "120", "190"],
      ["Elektriker", "150", "240"],
      ["Friseur", "60", "90"],
    ],
  },
  pl: {
    language: "pl",
    heading: "Składka roczna według zawodu",
    columns: ["Zawód", "Limit 1 mln zł", "Limit 5 mln zł"],
    rows: [
      ["Murarz", "520", "890"],
      ["Elektryk", "650", "940"],
      ["Fryzjer", "260", "390"],
    ],
  },
  en: {
    language: "en",
    heading: "Annual premium by trade",
    columns: ["Trade", "Limit EUR 1 million", "Limit EUR 5 million"],
    rows: [
      ["Bricklayer", "120", "190"],
      ["Electrician", "150", "240"],
      ["Hairdresser", "60", "90"],
    ],
  },
} as const satisfies Record<string, Table>;

describe("When a question is about a table", () => {
  test.each([
    [trades.cs, "Jaké je roční pojistné pro elektrikáře s limitem 5 mil. Kč?", "Elektrikář"],
    [trades.sk, "Aké je ročné poistné pre elektrikára s limitom 100 000 eur?", "Elektrikár"],
    [trades.de, "Wie hoch ist die Jahresprämie für einen Elektriker mit Limit 5 Mio. EUR?", "Elektriker"],
    [trades.pl, "Ile wynosi roczna składka dla elektryka z limitem 5 mln zł?", "Elektryk"],
    [trades.en, "What is the annual premium for an electrician with a limit of EUR 5 million?", "Electrician"],
  ])("only the matching row is quoted ($language)", (table, question, key) => {
    const quotes = quoted(table, question);
    expect(quotes).toHaveLength(1);
    expect(quotes[0]).toContain(`: ${key};`);
  });

  test("a row is also found by an amount, and none is quoted without a match", () => {
    const discounts: Table = {
      language: "cs",
      heading: "Spoluúčast",
      columns: ["Spoluúčast", "Sleva z pojistného"],
      rows: [
        ["1 000 Kč", "0 %"],
        ["5 000 Kč", "8 %"],
        ["10 000 Kč", "15 %"],
      ],
    };
    expect(quoted(discounts, "Jaká je sleva při spoluúčasti 5 000 Kč?")).toEqual([
      "Spoluúčast: 5 000 Kč; Sleva z pojistného: 8 %.",
    ]);
    const question = "Jaká je sleva při spoluúčasti 7 000 Kč?";
    const { composition } = weighed({ question, language: "cs", chunks: [found(discounts)] });
    expect(composition.citations).toEqual([]);
  });

  test("a word above all rows does not distinguish them", () => {
    const limits: Table = {
      language: "en",
      heading: "Limits of home insurance",
      columns: ["Thing", "Limit"],
      rows: [
        ["Flood", "EUR 5,000"],
        ["Valuables at home", "EUR 2,000"],
      ],
    };
    expect(quoted(limits, "What is the limit for flood at home?")).toEqual(["Thing: Flood; Limit: EUR 5,000."]);
  });

  test("both rows are kept if two are asked for", () => {
    const question = "What is the annual premium for a bricklayer and for a hairdresser?";
    const chunks = [found(trades.en)];
    const { sentences } = supportFor({ question, language: "en", intent: intentOf(question), chunks });
    const keys = sentences.map(({ sentence: { quote } }) => quote.split(";")[0]);
    expect(keys.sort()).toEqual(["Trade: Bricklayer", "Trade: Hairdresser"]);
  });

  test("nothing is quoted if no row matches", () => {
    const chunks = [found(trades.en)];
    const of = (question: string) => weighed({ question, language: "en", chunks });
    expect(of("What is the annual premium for a plumber with a limit of EUR 5 million?")).toMatchObject({
      isEvidence: false,
      composition: { citations: [] },
    });
    const { composition } = of("What is the annual premium for an electrician with a limit of EUR 5 million?");
    expect(composition.citations).toHaveLength(1);
  });
});
