import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Block, block, heading } from "../../src/knowledge/corpus/blocks.ts";
import { chunk, wordsAtMost } from "../../src/knowledge/corpus/chunk.ts";
import { clauseOf, isClauseTitle } from "../../src/knowledge/corpus/clauses.ts";
import { decodeText } from "../../src/knowledge/corpus/decode.ts";
import { checkFacts } from "../../src/knowledge/corpus/facts.ts";
import { csvRecords, ManifestError, readManifest } from "../../src/knowledge/corpus/manifest.ts";
import { joinLines } from "../../src/knowledge/corpus/paragraphs.ts";
import { structure } from "../../src/knowledge/corpus/structure.ts";
import { languageOf } from "../../src/knowledge/language/detect.ts";
import { encoded, utf16 } from "../support/corpus-files.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The same clause in the languages of the markets. */
const clauses = {
  cs: "Pojištění se nevztahuje na škody způsobené povodní v prvních čtrnácti dnech. Žádost o pojistné plnění musí být podána do třiceti dnů; to neplatí, nemohl-li ji pojištěný podat včas.",
  sk: "Poistenie sa nevzťahuje na škody spôsobené povodňou v prvých štrnástich dňoch. Žiadosť o poistné plnenie treba podať do tridsiatich dní, ak ju poistený mohol ľahko podať skôr alebo neskôr.",
  pl: "Ubezpieczenie nie obejmuje szkód powstałych wskutek powodzi w ciągu pierwszych czternastu dni. Żądanie wypłaty należy zgłosić w ciągu trzydziestu dni, jeżeli ubezpieczony mógł je złożyć, lub później.",
  de: "Der Versicherungsschutz gilt nicht für Schäden, die durch Überschwemmung in den ersten vierzehn Tagen entstehen. Größere Schäden müssen dem Versicherer innerhalb von dreißig Tagen gemeldet werden.",
  en: "The insurance does not cover damage that is caused by flood in the first fourteen days. A claim must be made to the insurer within thirty days of the loss, or as soon as you can.",
} as const;

describe("encodings", () => {
  test("are detected from the bytes: UTF-8, UTF-16, windows-1250, windows-1252, ISO-8859-2", () => {
    for (const text of Object.values(clauses)) {
      expect(decodeText(bytesOf(text))).toBe(text);
      expect(decodeText(bytesOf(`\ufeff${text}`))).toBe(text);
      expect(decodeText(utf16(text, false))).toBe(text);
      expect(decodeText(utf16(text, true))).toBe(text);
      expect(decodeText(utf16(text, false).subarray(2))).toBe(text);
    }
    for (const language of ["cs", "sk", "pl"] as const)
      for (const encoding of ["windows-1250", "iso-8859-2"] as const)
        expect(decodeText(encoded(clauses[language], encoding))).toBe(clauses[language]);
    expect(decodeText(encoded(clauses.de, "windows-1252"))).toBe(clauses.de);
  });

  test("are as declared by HTML, unless the bytes are UTF-8", () => {
    expect(decodeText(encoded(clauses.cs, "windows-1250"), "windows-1250")).toBe(clauses.cs);
    expect(decodeText(bytesOf(clauses.cs), "windows-1250")).toBe(clauses.cs);
    expect(decodeText(encoded(clauses.cs, "windows-1250"), "no-such-encoding")).toBe(clauses.cs);
  });

  test("are refused for data that is not text", () => {
    expect(() => decodeText(Uint8Array.from({ length: 400 }, (_, i) => (i * 7) % 256))).toThrow("not text");
  });
});

test("the language is detected from the text, and not guessed from a few words", () => {
  for (const [language, text] of Object.entries(clauses)) expect(languageOf(text)).toBe(language);
  expect(languageOf("IBAN CZ65 0800 0000 1920 0014 5399")).toBeNull();
});

describe("clauses", () => {
  test("are recognised by the words and numbers of contracts and laws", () => {
    const titles = [
      "Článek 3 Výluky",
      "Čl. I",
      "§ 12a Poistné",
      "Art. 5 Limity",
      "Artikel 7",
      "Section B - Fire and theft",
      "3.2.1 Povodeň",
      "Oddíl II Majetek",
      "A1-6.1 Familie und Haushalt",
      "Článok 4: Spoluúčasť",
    ];
    expect(titles.filter((title) => !isClauseTitle(title))).toEqual([]);
    expect(titles.map((title) => clauseOf(title)?.label)).toEqual([
      "Článek 3",
      "Čl. I",
      "§ 12a",
      "Art. 5",
      "Artikel 7",
      "Section B",
      "3.2.1",
      "Oddíl II",
      "A1-6.1",
      "Článok 4",
    ]);
  });

  test("are not numbered by amounts, dates and counts", () => {
    for (const text of ["12.5 % z částky", "15 dnů od oznámení", "300 000 Kč", "2024 byl rok", "1. 5. 2026 začíná"])
      expect([text, isClauseTitle(text)]).toEqual([text, false]);
    expect(isClauseTitle("3.2 Pojištění se vztahuje na škody, které vznikly požárem.")).toBe(false);
  });
});

describe("lines", () => {
  test("split at a hyphen are joined into whole words, which keep a hyphen of their own", () => {
    expect(joinLines(["Pojiš-", "tění domácnosti"])).toEqual(["Pojištění domácnosti"]);
    expect(joinLines(["Haus-", "und Grundbesitz"])).toEqual(["Haus- und Grundbesitz"]);
    expect(joinLines(["nemůže-", "li pojištěný"])).toEqual(["nemůže-li pojištěný"]);
  });

  test("with clauses, letters and bullets start paragraphs", () => {
    expect(joinLines(["2.1 Kryjeme", "požár", "a) v bytě,", "b) v domě,", "- a jinde"])).toEqual([
      "2.1 Kryjeme požár",
      "a) v bytě,",
      "b) v domě,",
      "- a jinde",
    ]);
  });
});

const word = fc.stringMatching(/^[a-zěščř]{1,9}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => `${words.join(" ")}.`);
const bodies = fc
  .array(sentence, { minLength: 1, maxLength: 30 })
  .map((sentences): Block => block("paragraph", sentences.join(" ")));
const titles = fc.tuple(word, fc.integer({ min: 1, max: 4 })).map(([text, level]) => heading(`Title ${text}`, level));
const documents = fc.array(fc.oneof(bodies, titles), { minLength: 1, maxLength: 40 });
const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? [];

describe("chunks", () => {
  test("have every word of every paragraph, in order, and are never too large", () => {
    fc.assert(
      fc.property(documents, (blocks) => {
        const { chunks } = chunk(structure(blocks, "markdown"));
        const expected = blocks.filter(({ kind }) => kind === "paragraph").flatMap(({ text }) => wordsOf(text));
        const found = chunks.flatMap(({ text }) =>
          text
            .split("\n")
            .filter((line) => !line.startsWith("Title"))
            .flatMap(wordsOf),
        );
        expect(found).toEqual(expected);
        for (const { text } of chunks) expect(wordsOf(text).length).toBeLessThanOrEqual(wordsAtMost);
      }),
      { numRuns: 60 },
    );
  });

  test("start at their stated position, in a text that is theirs together", () => {
    fc.assert(
      fc.property(documents, (blocks) => {
        const { chunks, characters } = chunk(structure(blocks, "markdown"));
        const whole = chunks.map(({ text }) => text).join("\n");
        expect(whole).toHaveLength(characters);
        for (const { text, start } of chunks) expect(whole.slice(start, start + text.length)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test("stay below one heading", () => {
    const blocks = [
      heading("A", 1),
      block("paragraph", "one."),
      heading("B", 2),
      block("paragraph", "two."),
      heading("C", 1),
      block("paragraph", "three."),
    ];
    expect(chunk(structure(blocks, "markdown")).chunks.map(({ heading, text }) => `${heading}: ${text}`)).toEqual([
      "A: one.",
      "A > B: two.",
      "C: three.",
    ]);
  });
});

describe("manifests", () => {
  const facts = { market: "CZ", carrier: "Modrá", product_line: "car", document_type: "terms", provenance: "carrier" };
  const inOrder = (name: string, text: string) =>
    readManifest(name, bytesOf(text)).map(({ file, line, facts }) => [file, line, facts.market]);

  test("are YAML, JSON, JSON lines or CSV, with the line of each entry", () => {
    const yaml =
      "defaults:\n  market: CZ\ndocuments:\n  - file: a.pdf\n    carrier: Modrá\n  - file: b.pdf\n    market: SK\n";
    const json = '{"documents": [\n  {"file": "a.pdf", "market": "CZ"},\n  {"file": "b.pdf", "market": "SK"}\n]}';
    const jsonl = '{"file": "a.pdf", "market": "CZ"}\n\n{"id": "b", "market": "SK"}\n';
    const csv = 'file;market;title\na.pdf;CZ;"Jedna;\ndva"\nb.pdf;SK;Tři\n';
    expect(inOrder("manifest.yaml", yaml)).toEqual([
      ["a.pdf", 4, "CZ"],
      ["b.pdf", 6, "SK"],
    ]);
    expect(inOrder("manifest.json", json)).toEqual([
      ["a.pdf", 2, "CZ"],
      ["b.pdf", 3, "SK"],
    ]);
    expect(inOrder("manifest.jsonl", jsonl)).toEqual([
      ["a.pdf", 1, "CZ"],
      ["b", 3, "SK"],
    ]);
    expect(inOrder("manifest.csv", csv)).toEqual([
      ["a.pdf", 2, "CZ"],
      ["b.pdf", 4, "SK"],
    ]);
  });

  test("name the line of an error", () => {
    const lineOf = (name: string, text: string): number | null | undefined => {
      try {
        readManifest(name, bytesOf(text));
        return undefined;
      } catch (error) {
        return error instanceof ManifestError ? error.line : undefined;
      }
    };
    expect(lineOf("manifest.jsonl", '{"file":"a"}\n{oops}\n')).toBe(2);
    expect(lineOf("manifest.json", '[\n{"file":"a"},\n{"file" "b"}]')).toBe(3);
    expect(lineOf("manifest.csv", "file,market\na.pdf,CZ,more\n")).toBe(2);
    expect(lineOf("manifest.csv", 'file,market\n"a.pdf,CZ\n')).toBe(2);
    expect(lineOf("manifest.csv", "file;title;title\na.pdf;A;B\n")).toBe(1);
    expect(lineOf("manifest.tsv", "\nfile\ttitle\ttitle\na.pdf\tA\tB\n")).toBe(2);
    expect(lineOf("manifest.csv", "file,title,,\na.pdf,A,,\n")).toBeUndefined();
    expect(lineOf("manifest.yaml", "- market: CZ\n")).toBe(1);
    expect(lineOf("manifest.yaml", "- file: [\n")).toBeNull();
  });

  test("in CSV keep cells as written", () => {
    const cell = fc.string({ maxLength: 12 }).filter((text) => text.trim() === text && text !== "");
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map((cells) => cells.map(quoted).join(",")).join("\r\n");
        expect(csvRecords(text, ",").map(({ cells }) => cells)).toEqual(rows);
      }),
    );
  });

  test("accept other names of facts, and European dates", () => {
    expect(
      checkFacts({
        country: "cz",
        issuer: "Modrá",
        line: "Motor liability",
        type: "Terms",
        provenance: "carrier_published",
        lang: "CS",
        valid_from: "1. 5. 2026",
        version: 2.1,
      }),
    ).toEqual({
      market: "CZ",
      carrier: "Modrá",
      product_line: "motor_liability",
      document_type: "terms",
      provenance: "carrier",
      language: "cs",
      valid_from: "2026-05-01",
      valid_to: null,
      version: "2.1",
      title: null,
      url: null,
      key: null,
    });
  });

  const refusalOf = (declared: Record<string, unknown>): string => {
    try {
      checkFacts(declared);
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };

  test("missing or invalid facts are named, without repeating their values", () => {
    expect(refusalOf({})).toBe("it lacks market, carrier, product_line, document_type, provenance");
    expect(refusalOf({ type: "law" })).toBe("it lacks market");
    expect(refusalOf({ ...facts, document_type: "secret-value" })).toBe(
      "document_type must be one of terms, ipid, methodology, legal_note",
    );
    expect(refusalOf({ ...facts, valid_from: "31.2.2026" })).toBe("valid_from must be a date, YYYY-MM-DD");
    expect(refusalOf({ ...facts, valid_from: "2026-02-01", valid_to: "2026-01-01" })).toBe(
      "valid_to is before valid_from",
    );
    expect(refusalOf({ ...facts, market: "Czechia", url: "ftp://x" })).toBe(
      "market must be a two-letter country code, or EU; url must be an absolute http or https address",
    );
  });

  test.each(["XX", "ZZ", "EN", "DD", "AA", "UN", "XA"])("%s is not a market", (market) => {
    expect(refusalOf({ ...facts, market })).toBe("market must be a two-letter country code, or EU");
  });

  test.each(["xx", "cz", "gr", "ua", "dk"])("%s is not a language", (language) => {
    expect(refusalOf({ ...facts, language })).toContain("language must be a two-letter code");
  });

  test.each([
    ["EU", "EU"],
    ["cz", "CZ"],
    ["XK", "XK"],
    ["uk", "GB"],
    ["EL", "GR"],
  ])("%s is the market %s", (market, kept) => {
    expect(checkFacts({ ...facts, market, language: "CS" })).toMatchObject({ market: kept, language: "cs" });
  });

  test("a law needs only its market: it has no carrier, and applies to all lines", () => {
    expect(checkFacts({ market: "CZ", type: "law", issuer: "Parlament" })).toMatchObject({
      carrier: null,
      product_line: null,
      document_type: null,
      provenance: "legal_note",
    });
  });
});
