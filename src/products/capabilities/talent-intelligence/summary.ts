import { detectSearchLanguage } from "../../../knowledge/language/detect.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { countriesOf } from "./countries.ts";
import { competencyModel, holds, holdsAny, phrasesByWord, type TalentLanguage, wordsOf } from "./model.ts";
import { redFlagsIn } from "./red-flags.ts";
import type { RoleSummary, TalentInput } from "./schema.ts";

type Words = ReturnType<typeof wordsOf>;

/** The phrases of each dimension. */
const dimensions = once(() =>
  Object.entries(competencyModel.dimensions).map(([key, phrases]) => ({ key, phrases: phrasesByWord(phrases) })),
);

/** Returns the language of the answer: that of the text if supported, otherwise English. */
const answerIn = (spoken: SearchLanguage): TalentLanguage =>
  spoken === "cs" || spoken === "sk" || spoken === "de" ? spoken : "en";

/** Returns the role's family by its title: of all that fit, the one with the longest phrase; null if none does. */
function familyOf(title: Words): string | null {
  const fitting = Object.entries(competencyModel.families).flatMap(([key, { words }]) =>
    words.filter((phrase) => holds(title, phrase)).map((phrase) => ({ key, length: phrase.length })),
  );
  return fitting.sort((a, b) => b.length - a.length)[0]?.key ?? null;
}

/** Returns what title and goal say in the model's terms: all that a run keeps of them, and all that a profile needs. */
export function roleSummary(input: TalentInput): RoleSummary {
  const text = `${input.role_title}. ${input.analysis_goal}`;
  const spoken = detectSearchLanguage(text, "en");
  const [title, goal] = [wordsOf(input.role_title), wordsOf(input.analysis_goal)];
  const spokenOf = dimensions().filter(({ phrases }) => holdsAny(goal, phrases));
  return {
    language: answerIn(spoken),
    role_family: familyOf(title),
    is_outside: competencyModel.outside.some((phrase) => holds(title, phrase)),
    dimensions: spokenOf.map(({ key }) => key),
    countries: countriesOf(text, spoken),
    red_flags: redFlagsIn(input.analysis_goal, goal),
  };
}
