import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mayBeOffer } from "../../../src/products/capabilities/company-intelligence/mentions.ts";
import { phraseFeatures } from "../../../src/products/capabilities/company-intelligence/offer-features.ts";
import { type Example, vectorOf } from "../learning/logistic.ts";

const folder = join(import.meta.dir, "phrases");

/**
 * Texts in the style of home pages, half of them offers, written for this purpose by authors who saw neither pages nor
 * rules: `phrases/*.tsv`, with a label and a text per line. They teach the vocabulary of trades without a labelled
 * page.
 */
export const phraseExamples = (weight: number): Example[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .flatMap((line): Example[] => {
      const [label = "", text = ""] = line.split("\t");
      return mayBeOffer(text) ? [{ x: vectorOf(phraseFeatures(text)), y: label === "offer", weight }] : [];
    });
