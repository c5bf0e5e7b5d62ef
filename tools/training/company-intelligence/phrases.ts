import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mayBeOffer } from "../../../src/products/capabilities/company-intelligence/mentions.ts";
import { phraseFeatures } from "../../../src/products/capabilities/company-intelligence/offer-features.ts";
import { type Example, vectorOf } from "../learning/logistic.ts";

const folder = join(import.meta.dir, "phrases");

/**
 * Texts as they stand on home pages, half of them offers, written for this by authors who saw neither pages nor rules:
 * `phrases/*.tsv`, a label and a text each. They teach the words of trades that no labelled page is of.
 */
export const phraseExamples = (weight: number): Example[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .flatMap((line): Example[] => {
      const [label = "", text = ""] = line.split("\t");
      return mayBeOffer(text) ? [{ x: vectorOf(phraseFeatures(text)), y: label === "offer", weight }] : [];
    });
