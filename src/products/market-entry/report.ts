import { type Static, Type as T } from "@sinclair/typebox";
import type { Engine } from "../../contracts/engine.ts";
import { closed } from "../../platform/schema.ts";
import { aggregatesTable, summaryBlocks } from "../documents/aggregates.ts";
import { list, paragraph, Section, section, table } from "../documents/document.ts";
import { markdownOf } from "../documents/markdown.ts";
import { type Voice, voiceIn } from "../documents/voice.ts";
import type { ReportInput } from "./schema.ts";
import { bestOf } from "./scoring.ts";
import { scoreSections, structureSections, targetSections, testSections } from "./sections.ts";

export const ReportOutput = closed({
  title: T.String(),
  sections: T.Array(Section),
  withheld: T.Array(T.String(), { description: "What was left out and why, without identifying it." }),
  markdown: T.String(),
});
export type ReportOutput = Static<typeof ReportOutput>;

/** Returns what was found but withheld from the report. It identifies no one. */
function withheldFrom({ targets, withheld }: ReportInput, { say }: Voice): string[] {
  if (targets === null) return [say(withheld === "expired" ? "all_expired" : "all_rejected")];
  const { found } = targets;
  const rejected = found - targets.targets.length;
  return rejected === 0 ? [] : [say("some_withheld", { rejected, found })];
}

function companySections(company: ReportInput["company"], { say, own }: Voice): Section[] {
  const { company_name, target_audience, products_services, market, notes = [], pages = [] } = company;
  const unsaid = say("not_said");
  return section(say("the_company"), "company", [
    table(
      say("own_profile"),
      ["", say("they_say")],
      [
        [say("company"), company_name ?? unsaid],
        [say("audience"), target_audience ?? unsaid],
        [say("products"), products_services.join("; ") || unsaid],
        [say("market"), market ?? unsaid],
      ],
    ),
    list([...notes.map(own), ...(pages.length > 0 ? [say("pages_read", { pages: pages.join(", ") })] : [])]),
  ]);
}

function inShort(input: ReportInput, { say, country, term }: Voice): Section[] {
  const { structure, tested_market, validator, targets, product_category: category } = input;
  const best = bestOf(structure.scores);
  // The candidates may name a single country twice.
  const isAlone = structure.scores.length === 1;
  const verdict = validator.verdict ? term(validator.verdict) : say("verdict_none");
  return section(say("in_short"), "report", [
    list([
      say("category", { category }),
      best ? say(isAlone ? "only_market" : "best_market", { country: country(best.country) }) : say("no_best_market"),
      say("tested", { country: country(tested_market), verdict }),
      say("approved_targets", { count: targets?.targets.length ?? 0 }),
    ]),
  ]);
}

/**
 * Returns the report in a language, from its step's input. A finished run's document is generated from the same input.
 */
export function reportIn(input: ReportInput, voice: Voice): Omit<ReportOutput, "markdown"> {
  const { say } = voice;
  const withheld = withheldFrom(input, voice);
  const { markets, structure, validator, tested_market, targets } = input;
  const sections = [
    ...inShort(input, voice),
    ...companySections(input.company, voice),
    ...scoreSections(structure, "structure", voice),
    ...section(say("candidate_figures"), "markets", [
      ...summaryBlocks(markets.summary, markets.aggregates, voice),
      aggregatesTable(markets.aggregates, voice),
    ]),
    ...structureSections(structure, "structure", voice),
    ...testSections(validator, tested_market, "validator", voice),
    ...(targets === null ? [] : targetSections(targets, "targets", voice)),
    ...section(say("what_was_withheld"), "report", [
      withheld.length === 0 ? paragraph(say("nothing_withheld")) : list(withheld),
    ]),
  ];
  return { title: say("report"), sections, withheld };
}

/** The step `report`: turns the delivered results into a document. It computes no figures. */
export const reportEngine: Engine<ReportInput, ReportOutput> = {
  identity: { name: "report", version: "1.0.0", model: null },
  ready: () => null,
  async run(input) {
    const voice = voiceIn("en");
    const report = reportIn(input, voice);
    const subtitle = input.company.company_name ?? input.product_category;
    return { result: { ...report, markdown: markdownOf({ ...report, language: voice.language, subtitle }) } };
  },
};
