import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { searchLanguageOf } from "../../knowledge/language/languages.ts";
import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { summaryIn } from "../capabilities/eu-market-data/summary.ts";
import { type Block, paragraph, table } from "./document.ts";
import type { Voice } from "./voice.ts";

/** Returns the summary of a market answer in the document's language, or unchanged with a note on its language. */
export function summaryBlocks(summary: string, aggregates: EuMarketDataOutput["aggregates"], voice: Voice): Block[] {
  const written = summaryIn(voice.language, summary, aggregates);
  if (written !== null) return [paragraph(written)];
  const other = detectSearchLanguage(summary, searchLanguageOf(voice.language) ?? "en");
  return [paragraph(voice.foreign(other)), paragraph(summary)];
}

/** Returns a figure's reliability with the publisher's flags, as in every table of figures: `C e`. */
export const graded = ({ reliability, flags }: { readonly reliability: string; readonly flags: readonly string[] }) =>
  [reliability, ...flags].join(" ");

/** Returns the table of a market answer's aggregates, also used by the Market-Entry Pack's report. */
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
