import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { searchLanguageOf } from "../../knowledge/language/languages.ts";
import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { summaryIn } from "../capabilities/eu-market-data/summary.ts";
import { type Block, paragraph, table } from "./document.ts";
import type { Voice } from "./voice.ts";

/** The summary of a market answer in the document's language, or as it stands with the language that it is in. */
export function summaryBlocks(summary: string, aggregates: EuMarketDataOutput["aggregates"], voice: Voice): Block[] {
  const written = summaryIn(voice.language, summary, aggregates);
  if (written !== null) return [paragraph(written)];
  const other = detectSearchLanguage(summary, searchLanguageOf(voice.language) ?? "en");
  return [paragraph(voice.foreign(other)), paragraph(summary)];
}

/** A figure's reliability with the publisher's flags, as every table of figures shows it: `C e`. */
export const graded = ({ reliability, flags }: { readonly reliability: string; readonly flags: readonly string[] }) =>
  [reliability, ...flags].join(" ");

/** The aggregates of a market answer; for the Market-Entry Pack's report too. */
export function aggregatesTable(aggregates: EuMarketDataOutput["aggregates"], voice: Voice): Block {
  const { say } = voice;
  return table(
    say("figures"),
    [
      ...[say("country"), say("indicator"), say("value"), say("unit"), say("period"), say("rank"), say("source")],
      say("reliability"),
    ],
    aggregates.map(({ country, indicator, value, unit, period, rank, source, ...figure }) => [
      ...[
        voice.country(country),
        voice.indicator(indicator),
        value === null ? say("not_held") : voice.number(value),
        voice.unit(unit),
        period,
      ],
      ...[rank === null ? "" : String(rank), source.publisher, graded(figure)],
    ]),
  );
}
