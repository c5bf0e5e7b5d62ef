import type { Engine } from "../../../contracts/engine.ts";
import { filled } from "../../../platform/text.ts";
import { countryName } from "../../datasets/places.ts";
import { isLawHeld } from "./countries.ts";
import { competencyModel, type Texts, texts } from "./model.ts";
import type { RoleSummary, TalentInput, TalentOutput } from "./schema.ts";
import { roleSummary } from "./summary.ts";

function dimensionsOf(family: string, spokenOf: readonly string[], text: Texts): TalentOutput["dimensions"] {
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
          mentioned: spokenOf.includes(key),
          behaviours: [...known.behaviours],
          evidence,
          questions: known.questions.map(({ question, anchors }) => ({ question, anchors: { ...anchors } })),
          red_flag: known.red_flag,
        },
      ];
    });
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

const redFlagsOf = ({ red_flags }: RoleSummary, text: Texts): TalentOutput["red_flags"] =>
  red_flags.flatMap(({ kind, excerpt }) => {
    const told = text.red_flags[kind];
    return told ? [{ kind, excerpt, warning: told.warning, lawful_wording: told.wording }] : [];
  });

/** Returns which law is not held, and that nothing replaces it. */
function lawNotHeld({ countries, language }: RoleSummary, text: Texts): string[] {
  const others = countries.filter((code) => code !== "EU" && !isLawHeld(code));
  if (others.length === 0) return [];
  const named = filled(text.law_not_held, { countries: others.map((code) => countryName(code, language)).join(", ") });
  return [countries.includes("EU") ? named : `${named} ${text.eu_law_left_out}`];
}

/**
 * Returns how much title and goal say about the role, 0 to 100: half for a title that fits a family, the rest for the
 * dimensions that the goal mentions, of which three are as good as all.
 */
const clarityOf = (family: string | null, mentioned: number): number =>
  Math.round((family === null ? 0 : 50) + (Math.min(3, mentioned) / 3) * 50);

/** Returns a role profile from the documented model. The same role gives the same profile. */
export function profileOf(role: RoleSummary): TalentOutput {
  const { language, role_family: family } = role;
  const text = texts[language];
  const dimensions = family === null ? [] : dimensionsOf(family, role.dimensions, text);
  const mentioned = dimensions.filter((dimension) => dimension.mentioned);
  const [first] = dimensions;
  const unknown = role.is_outside ? `${text.unknown} ${text.outside}` : text.unknown;
  const named = text.families[family ?? ""];
  return {
    language,
    role_family: family !== null && named !== undefined ? { key: family, title: named } : null,
    question: family === null ? text.question : null,
    role_goal_clarity: clarityOf(family, mentioned.length),
    evidence_coverage: mentioned.reduce((sum, { weight }) => sum + weight, 0),
    dimensions,
    work_sample: family === null ? null : text.work_sample,
    legal_requirements: requirementsOf(role.countries, text),
    red_flags: redFlagsOf(role, text),
    summary:
      named === undefined
        ? unknown
        : text.summary
            .replace("{family}", named)
            .replace("{count}", String(dimensions.length))
            .replace("{first}", first?.title ?? "")
            .replace("{mentioned}", String(mentioned.length)),
    limitations: [...lawNotHeld(role, text), ...text.limitations],
  };
}

/** Returns the profile of a role described by title and goal. */
export const roleProfile = (input: TalentInput): TalentOutput => profileOf(roleSummary(input));

/** A run that an earlier release accepted has its input as it was typed. */
const profiled = (input: RoleSummary | TalentInput): { result: TalentOutput } => ({
  result: "role_title" in input ? roleProfile(input) : profileOf(input),
});

/** The step of "Advisor Talent Fit". It takes no person, and sees only what the run keeps of title and goal. */
export const talentIntelligence: Engine<RoleSummary | TalentInput, TalentOutput> = {
  identity: { name: "talent-intelligence", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input) => profiled(input),
  runInline: profiled,
};
