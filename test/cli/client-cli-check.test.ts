import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { passagesOf } from "../../src/cli/client/check.ts";
import {
  type ExaFilterInput,
  ExaFilterOutput,
  ExaFilterInput as Input,
} from "../../src/products/capabilities/exa-filter/schema.ts";
import type { CapabilityManifest } from "../../src/registry/contract.ts";
import { openWorld, priced, type World } from "../support/client-cli-world.ts";

/** The capability's contract with a predictable rule: a sentence is supported if a source contains it. */
const wordForWord: CapabilityManifest = {
  ...priced,
  slug: "exa-filter",
  input_schema: Input,
  output_schema: ExaFilterOutput,
  engine: {
    ...priced.engine,
    async run(input) {
      const { answer, sources = [] } = input as ExaFilterInput;
      const claims = [...answer.matchAll(/[^.]+\./g)].map(({ 0: sentence, index }) => {
        const text = sentence.trim();
        const supported = sources.some((source) => source.includes(text));
        const reason = supported ? null : "No source says it.";
        return {
          text,
          start: index,
          end: index + sentence.length,
          supported,
          probability: supported ? 0.9 : 0.1,
          read: false,
          reason,
        };
      });
      const trust_state = claims.every(({ supported }) => supported) ? "OK" : "FAIL";
      const supporting = sources.filter((source) => claims.some(({ text }) => source.includes(text)));
      return { result: { trust_state, faithfulness_score: 0.5, sources: supporting, claims }, credits: 0 };
    },
  },
};

let world: World;
beforeAll(async () => {
  world = await openWorld([wordForWord]);
  writeFileSync(world.file("source.txt"), "Theft is covered.\n\nWear is not covered.");
  writeFileSync(world.file("good.txt"), "Theft is covered.\n");
  writeFileSync(world.file("bad.txt"), "Theft is covered. Wear is covered.\n");
});
afterAll(() => world.close());

const check = (answer: string, ...more: string[]): string[] => [
  ...["check", "--question", "What is covered?", "--answer", answer, "--source", world.file("source.txt")],
  ...more,
];

describe("assay check", () => {
  test("prints the verdict with each claim, and exits with 0 on FAIL", async () => {
    const { code, out } = await world.assay(check(world.file("bad.txt")));
    expect(code).toBe(0);
    expect(out).toStartWith("FAIL");
    expect(out).toContain("1 supporting source\n");
    expect(out).toContain("+ Theft is covered. (90 %)");
    expect(out).toContain("- Wear is covered. (10 %)\n  No source says it.");
  });

  test("with --strict exits with 1 on FAIL, and with 0 on OK", async () => {
    const bad = await world.assay(check(world.file("bad.txt"), "--strict"));
    expect(bad.code).toBe(1);
    expect(bad.out).toStartWith("FAIL");
    const good = await world.assay(check("-", "--strict", "--country", "CZ"), { stdin: "Theft is covered." });
    expect(good.code).toBe(0);
    expect(good.out).toStartWith("OK");
  });

  test("with --json prints the run as returned by the API", async () => {
    const { out } = await world.assay(check(world.file("good.txt"), "--json"));
    const run = JSON.parse(out);
    expect(run.result.trust_state).toBe("OK");
    expect(out).toBe(`${await (await world.ask(`/v1/runs/${run.id}`)).text()}\n`);
  });

  test("refuses unsendable input with its path or file", async () => {
    const missing = await world.assay(check(world.file("missing.txt")));
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("missing.txt can't be read");
    expect((await world.assay(check("-", "--source", "-"), { stdin: "x" })).code).toBe(2);
    expect((await world.assay(["check", "--answer", "x"])).code).toBe(2);
    const empty = await world.assay(check("-"), { stdin: "" });
    expect(empty.code).toBe(2);
    expect(empty.err).toContain("/body/input/answer must have at least 1 character\n");
    expect((await world.assay(check(world.file("good.txt"), "--country", "DE"))).err).toContain("/body/input/country");
    writeFileSync(world.file("long.txt"), "word ".repeat(25_000));
    const long = await world.assay(check(world.file("good.txt"), "--source", world.file("long.txt")));
    expect(long.code).toBe(2);
    expect(long.err).toContain("at most 50 can be sent");
  });

  test.each([
    ["an empty file", ""],
    ["blanks", " \n\t\n"],
    ["punctuation only", "*** — …\n"],
  ])("refuses a source of %s, because without sources other documents would be searched", async (_, text) => {
    writeFileSync(world.file("hollow.txt"), text);
    const { code, out, err } = await world.assay(check(world.file("good.txt"), "--source", world.file("hollow.txt")));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("hollow.txt contains no text that could support an answer");
    expect(err).not.toContain("idempotency");
    const piped = await world.assay(check(world.file("good.txt"), "--source", "-"), { stdin: text });
    expect([piped.code, piped.err]).toEqual([2, expect.stringContaining("stdin contains no text")]);
  });
});

describe("splitting a source into passages", () => {
  const squeezed = (text: string): string => text.replace(/\s+/g, "");

  test("gives every passage text within the limit, and loses or moves nothing", () => {
    const piece = fc.constantFrom(
      "word",
      "a longer word",
      ". ",
      "\n\n",
      "! ",
      "🦊",
      "č",
      " ",
      "\n",
      "unbroken".repeat(9),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 2, max: 60 }), (pieces, limit) => {
        const text = pieces.join("");
        const passages = passagesOf(text, limit);
        for (const passage of passages) {
          expect(passage.length).toBeWithin(1, limit + 1);
          expect(passage.isWellFormed()).toBe(true);
        }
        expect(squeezed(passages.join(""))).toBe(squeezed(text));
      }),
    );
  });

  test("splits at the end of a paragraph if there is one, else of a sentence, else of a word", () => {
    expect(passagesOf("One. Two.\n\nThree four.", 18)).toEqual(["One. Two.", "Three four."]);
    expect(passagesOf("One two. Three four five.", 18)).toEqual(["One two.", "Three four five."]);
    expect(passagesOf("One two three four", 10)).toEqual(["One two", "three four"]);
  });
});
