import type { Engine } from "../../../contracts/engine.ts";
import { detectSearchLanguage } from "../../../knowledge/language/detect.ts";
import { competencyModel, placeOf, type TalentLanguage, type Texts, texts, wordsOf } from "./model.ts";
import type { TalentInput, TalentOutput } from "./schema.ts";

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

function dimensionsOf(family: string, goal: Words, text: Texts): TalentOutput["dimensions"] {
  const weights = Object.entries(competencyModel.families[family]?.weights ?? {});
  return weights
    .sort(([, a], [, b]) => b - a)
    .flatMap(([key, weight]) => {
      const known = text.dimensions[key];
      if (!known) return [];
      const evidence = (competencyModel.evidence[key] ?? []).map((type) => ({
        type,
        title: text.evidence[type] ?? type,
        reliability: competencyModel.reliability[type] ?? ("D" as const),
      }));
      return [
        {
          key,
          title: known.title,
          weight,
          mentioned: holds(goal, competencyModel.dimensions[key] ?? []),
          behaviours: [...known.behaviours],
          evidence,
          questions: known.questions.map(({ question, anchors }) => ({ question, anchors: { ...anchors } })),
          red_flag: known.red_flag,
        },
      ];
    });
}

/** Countries that the texts name; where they name none, the one that the language speaks for. The EU's law always. */
function countriesOf(words: Words, language: TalentLanguage): string[] {
  const named = Object.entries(competencyModel.countries).flatMap(([country, phrases]) =>
    holds(words, phrases) ? [country] : [],
  );
  const usual = { cs: ["CZ"], sk: ["SK"], de: ["DE"], en: [] }[language];
  return ["EU", ...(named.length > 0 ? named : usual)];
}

const requirementsOf = (countries: readonly string[], text: Texts): TalentOutput["legal_requirements"] =>
  countries.flatMap((country) =>
    (competencyModel.requirements[country] ?? []).map(({ key, citation, status }) => ({
      country,
      text: text.requirements[key] ?? key,
      citation,
      status,
    })),
  );

function redFlagsOf(goal: string, words: Words, text: Texts): TalentOutput["red_flags"] {
  return Object.entries(competencyModel.red_flags).flatMap(([kind, { any }]) => {
    const place = any.map((phrase) => placeOf(words, phrase)).find((found) => found !== null);
    const told = text.red_flags[kind];
    if (!place || !told) return [];
    return [{ kind, excerpt: goal.slice(place.start, place.end), warning: told.warning, lawful_wording: told.wording }];
  });
}

/**
 * How much title and goal say of the role, 0 to 100: half for a title that fits a family, the rest for the dimensions
 * that the goal speaks of, three of them being as good as all.
 */
const clarityOf = (family: string | null, mentioned: number): number =>
  Math.round((family === null ? 0 : 50) + (Math.min(3, mentioned) / 3) * 50);

/** A role profile from the documented model: the same input gives the same profile. */
export function roleProfile(input: TalentInput): TalentOutput {
  const language = languageOf(input);
  const text = texts[language];
  const [title, goal] = [wordsOf(input.role_title), wordsOf(input.analysis_goal)];
  const family = familyOf(title);
  const dimensions = family === null ? [] : dimensionsOf(family, goal, text);
  const mentioned = dimensions.filter((dimension) => dimension.mentioned);
  const legal = requirementsOf(countriesOf([...title, ...goal], language), text);
  const [first] = dimensions;
  const unknown = holds(title, competencyModel.outside) ? `${text.unknown} ${text.outside}` : text.unknown;
  const named = text.families[family ?? ""];
  return {
    language,
    role_family: family !== null && named !== undefined ? { key: family, title: named } : null,
    question: family === null ? text.question : null,
    role_goal_clarity: clarityOf(family, mentioned.length),
    evidence_coverage: mentioned.reduce((sum, { weight }) => sum + weight, 0),
    dimensions,
    work_sample: family === null ? null : text.work_sample,
    legal_requirements: legal,
    red_flags: redFlagsOf(input.analysis_goal, goal, text),
    summary:
      named === undefined
        ? unknown
        : text.summary
            .replace("{family}", named)
            .replace("{count}", String(dimensions.length))
            .replace("{first}", first?.title ?? "")
            .replace("{mentioned}", String(mentioned.length)),
    limitations: [...text.limitations],
  };
}

/** The step of "Advisor Talent Fit". It takes no person, and what it stores is the profile alone. */
export const talentIntelligence: Engine<TalentInput, TalentOutput> = {
  identity: { name: "talent-intelligence", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input) => ({ result: roleProfile(input) }),
  runInline: (input) => ({ result: roleProfile(input) }),
};
