import type { Indicator } from "../../../../db/datasets.ts";
import { written } from "../../datasets/figures.ts";
import { wordsOf } from "../../datasets/phrases.ts";
import { countryName } from "../../datasets/places.ts";
import type { AnswerLanguage } from "../../datasets/question-language.ts";
import { type Asked, namedInText } from "./question.ts";
import type { GroupAggregate } from "./schema.ts";
import type { Held } from "./tables.ts";
import { texts } from "./texts.ts";
import type { Wanted } from "./wanted.ts";

/** Returns the sentences about one indicator's figures. */
export function sentence(
  { title, unit }: Indicator,
  all: readonly GroupAggregate[],
  language: AnswerLanguage,
): string[] {
  const said = texts[language];
  if (all.length > 0 && all.every(({ suppressed }) => suppressed)) return [said.withheld(title)];
  const shown = all.filter(({ suppressed }) => !suppressed);
  const values = shown.map(({ group, period, value }) => {
    const number = value === null ? ":" : written(value, language);
    return `${group ?? said.whole} ${number} (${period})`;
  });
  const hidden = [...new Set(all.flatMap(({ suppressed, group }) => (suppressed && group !== null ? [group] : [])))];
  return [
    ...(values.length > 0 ? [`${title}, ${unit}: ${values.join("; ")}.`] : []),
    ...(hidden.length > 0 ? [said.suppressed(hidden.join(", "))] : []),
  ];
}

/** Maximum number of words quoted. A question in an unknown language would otherwise be quoted whole. */
const mostQuoted = 8;

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Returns the words of a question that nothing explains: no list, title, publisher or name of the dataset. */
function unused({ left }: Asked, all: readonly Held[]): string[] {
  const texts = all.flatMap(({ indicator: { title, unit, dimensions }, facts, table }) => [
    ...[title, unit, dimensions.dataset, table.facts.name, ...Object.values(facts)],
  ]);
  const known = new Set(wordsOf(texts.join(" ")));
  return distinct(left.filter((word) => !wordsOf(word).every((one) => known.has(one)))).slice(0, mostQuoted);
}

/** Returns whether a question asks for something that would have to be computed from the figures. */
function isComputed({ named }: Asked, { held }: Wanted): boolean {
  const texts = held.flatMap(({ indicator: { title, unit } }) => namedInText(`${title} ${unit}`));
  const told = new Set(texts.map(({ kind, entry }) => `${kind}:${entry}`));
  const isShare = held.some(({ indicator }) => indicator.unit.startsWith("%"));
  // A total given only in parts was not published.
  const terms = named.filter(({ kind }) => kind === "term");
  const isTotal =
    named.some(({ kind, entry }) => kind === "said" && entry === "total") ||
    terms.some((term) => /^gesamt/i.test(term.written));
  if (isTotal && terms.length === 1 && held.length > 1) return true;
  const asked = named.filter(
    ({ kind, entry }) => kind === "unit" || (kind === "computed" && !(isShare && entry === "share")),
  );
  return asked.some(({ kind, entry }) => !told.has(`${kind}:${entry}`));
}

/** Returns what a reader has to know before the figures: what is not held, not computed, or was not understood. */
export function remarks(asked: Asked, wanted: Wanted, all: readonly Held[]): string[] {
  const { language, named } = asked;
  const said = texts[language];
  const { held, missing, isRestricted, ofCountries } = wanted;
  const titles = distinct(all.map(({ indicator }) => indicator.title)).join("; ");
  if (held.length === 0 && !missing.some(({ kind }) => kind === "denied")) return [said.none(titles)];
  const quoted = (words: readonly string[]): string => distinct(words).map(said.quoted).join(", ");
  const isPlace = missing.some(({ kind }) => kind === "place");
  const countries = [...ofCountries].map((country) => countryName(country, language)).join(", ");
  const left = [...unused(asked, all), ...wanted.unmeasured.map((one) => one.written)];
  return [
    ...(missing.length > 0 ? [said.notHeld(quoted(missing.map(({ written: word }) => word)))] : []),
    ...(isPlace && countries !== "" ? [said.ofCountries(countries)] : []),
    ...(isRestricted && !missing.every(({ kind }) => kind === "place") ? [said.holds(titles)] : []),
    ...(isRestricted || named.some(({ kind }) => kind === "person")
      ? []
      : [
          ...(left.length > 0 ? [said.unused(quoted(left))] : []),
          ...(isComputed(asked, wanted) ? [said.notComputed] : []),
        ]),
  ];
}
