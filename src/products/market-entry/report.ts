import { type Static, Type as T } from "@sinclair/typebox";
import type { Engine } from "../../contracts/engine.ts";
import { closed, nullable } from "../../platform/schema.ts";
import { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import { countryName } from "../datasets/places.ts";
import { aggregatesTable } from "../documents/aggregates.ts";
import { list, paragraph, Section, section, table } from "../documents/document.ts";
import { markdownOf } from "../documents/markdown.ts";
import { StructureOutput, TargetsOutput } from "./schema.ts";
import { scoreSections, structureSections, targetSections, testSections } from "./sections.ts";

/** What the report is made of: results of delivered steps. `targets` is null where nothing of them was approved. */
export const ReportInput = closed({
  product_category: T.String(),
  company: CompanyIntelligenceOutput,
  markets: EuMarketDataOutput,
  structure: StructureOutput,
  tested_market: T.String(),
  validator: MarketValidatorOutput,
  targets: nullable(TargetsOutput),
});
export type ReportInput = Static<typeof ReportInput>;

export const ReportOutput = closed({
  title: T.String(),
  sections: T.Array(Section),
  withheld: T.Array(T.String(), { description: "What is not in it, and why, without naming it." }),
  markdown: T.String(),
});
export type ReportOutput = Static<typeof ReportOutput>;

/** What was found and is not in the report. Nothing here says who it was. */
export function withheldFrom(targets: TargetsOutput | null): string[] {
  if (targets === null)
    return [
      "The qualified targets: they were rejected, or nobody decided about them in time. Their credits were released.",
    ];
  const rejected = targets.found - targets.targets.length;
  if (rejected === 0) return [];
  return [
    `${rejected} of ${targets.found} qualified targets: whoever decided rejected them. Their credits were released.`,
  ];
}

function companySections({
  company_name,
  target_audience,
  products_services,
  market,
  notes = [],
  pages = [],
}: ReportInput["company"]): Section[] {
  const unsaid = "not said";
  return section("The company", "company", [
    table(
      "Profile, by its own pages",
      ["", "What they say"],
      [
        ["Company", company_name ?? unsaid],
        ["Target audience", target_audience ?? unsaid],
        ["Products and services", products_services.join("; ") || unsaid],
        ["Market", market ?? unsaid],
      ],
    ),
    list([...notes, ...(pages.length > 0 ? [`Pages read: ${pages.join(", ")}`] : [])]),
  ]);
}

function inShort({ structure, tested_market, validator, targets, product_category }: ReportInput): Section[] {
  const best = countryName(structure.scores[0]?.country ?? "", "en");
  const verdict = validator.verdict ?? "no verdict";
  return section("In short", "report", [
    list([
      `Product category: ${product_category}.`,
      `The best of the candidate markets is ${best} (step structure).`,
      `The value proposition tested in ${countryName(tested_market, "en")}: ${verdict} (step validator).`,
      `Approved targets: ${targets?.targets.length ?? 0} (step targets).`,
    ]),
  ]);
}

function sectionsOf(input: ReportInput, withheld: readonly string[]): Section[] {
  const { markets, structure, validator, tested_market, targets } = input;
  return [
    ...inShort(input),
    ...companySections(input.company),
    ...scoreSections(structure, "structure"),
    ...section("Figures of the candidate markets", "markets", [
      paragraph(markets.summary),
      aggregatesTable(markets.aggregates),
    ]),
    ...structureSections(structure, "structure"),
    ...testSections(validator, tested_market, "validator"),
    ...(targets === null ? [] : targetSections(targets, "targets")),
    ...section("What was withheld", "report", [
      withheld.length === 0 ? paragraph("Nothing was withheld.") : list(withheld),
    ]),
  ];
}

/** The step `report`: the delivered results as a document. It computes no figure of its own. */
export const reportEngine: Engine<ReportInput, ReportOutput> = {
  identity: { name: "report", version: "1.0.0", model: null },
  ready: () => null,
  async run(input) {
    const withheld = withheldFrom(input.targets);
    const sections = sectionsOf(input, withheld);
    const title = "Market-entry report";
    const subtitle = input.company.company_name ?? input.product_category;
    return { result: { title, sections, withheld, markdown: markdownOf({ title, subtitle, sections }) } };
  },
};
