import { detectSearchLanguage } from "../../../knowledge/language/detect.ts";
import { competencyModel, placeOf, type TalentLanguage, wordsOf } from "./model.ts";
import type { RoleSummary, TalentInput } from "./schema.ts";

type Words = ReturnType<typeof wordsOf>;

const holds = (words: Words, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => placeOf(words, phrase) !== null);

const languageOf = ({ role_title, analysis_goal }: TalentInput): TalentLanguage => {
  const found = detectSearchLanguage(`${role_title}. ${analysis_goal}`, "en");
  return found === "cs" || found === "sk" || found === "de" ? found : "en";
};

/** The role's family by its title: of all that fit, the one with the longest phrase; null where none does. */
function familyOf(title: Words): string | null {
  const fitting = Object.entries(competencyModel.families).flatMap(([key, { words }]) =>
    words.filter((phrase) => placeOf(title, phrase) !== null).map((phrase) => ({ key, length: phrase.length })),
  );
  return fitting.sort((a, b) => b.length - a.length)[0]?.key ?? null;
}

/** Countries that the texts name; where they name none, the one that the language speaks for. The EU's law always. */
function countriesOf(words: Words, language: TalentLanguage): string[] {
  const named = Object.entries(competencyModel.countries).flatMap(([country, phrases]) =>
    holds(words, phrases) ? [country] : [],
  );
  const usual = { cs: ["CZ"], sk: ["SK"], de: ["DE"], en: [] }[language];
  return ["EU", ...(named.length > 0 ? named : usual)];
}

/** Words that a goal must not have, by kind: the phrase of the model alone, as the goal says it. */
function redFlagsOf(goal: string, words: Words): RoleSummary["red_flags"] {
  return Object.entries(competencyModel.red_flags).flatMap(([kind, { any }]) => {
    const place = any.map((phrase) => placeOf(words, phrase)).find((found) => found !== null);
    return place ? [{ kind, excerpt: goal.slice(place.start, place.end) }] : [];
  });
}

/** What title and goal say in the model's own terms: all that a run keeps of them, and all that a profile needs. */
export function roleSummary(input: TalentInput): RoleSummary {
  const language = languageOf(input);
  const [title, goal] = [wordsOf(input.role_title), wordsOf(input.analysis_goal)];
  const spokenOf = Object.entries(competencyModel.dimensions).filter(([, phrases]) => holds(goal, phrases));
  return {
    language,
    role_family: familyOf(title),
    is_outside: holds(title, competencyModel.outside),
    dimensions: spokenOf.map(([key]) => key),
    countries: countriesOf([...title, ...goal], language),
    red_flags: redFlagsOf(input.analysis_goal, goal),
  };
}
