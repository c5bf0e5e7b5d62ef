import { countryCode } from "../../registry/countries.ts";
import { languageIn } from "./language.ts";
import { phrasesIn } from "./phrases.ts";
import type { Intake, IntakeResult, Need } from "./schema.ts";
import { type ArchitectLanguage, goalPhrases, kindOf, say, taxonomy } from "./taxonomy.ts";

/** An intake read by the taxonomy alone, so that equal intakes read equally. */
export interface Reading extends Omit<IntakeResult, "solution_id" | "resume_token" | "language"> {
  readonly language: ArchitectLanguage;
  /** The recognised kinds of constraints. */
  readonly ruled: ReadonlySet<string>;
}

/**
 * Returns the language of the goals and constraints; the country decides between Czech and Slovak if they could be
 * either.
 */
function languageOf({ goals, constraints, country }: Intake): ArchitectLanguage {
  return languageIn([...goals, ...constraints].join(". "), country);
}

function needsOf(goals: readonly string[], language: ArchitectLanguage): Need[] {
  const found = goals.flatMap((goal, i) => {
    const known = Object.entries(goalPhrases).flatMap(([id, phrases]) => {
      const recognised = phrasesIn(goal, phrases, 2);
      return recognised.length > 0 ? [{ id, goal, words: recognised }] : [];
    });
    return known.length > 0 ? known : [{ id: `unrecognised-${i + 1}`, goal, words: [] }];
  });
  return [...Map.groupBy(found, ({ id }) => id)].map(([id, said]) => {
    const titles = taxonomy.needs[id]?.titles;
    return {
      id,
      title: titles?.[language] ?? say(language, "unrecognised_need", { goal: said[0]?.goal ?? "" }),
      goals: said.map(({ goal }) => goal),
      words: [...new Set(said.flatMap(({ words }) => words))],
      known: titles !== undefined,
    };
  });
}

const blank = (text: string): boolean => text.trim() === "";

/** Returns questions about the kinds of sources that a need requires and the intake does not name. */
function missingSources(needs: readonly Need[], intake: Intake, language: ArchitectLanguage) {
  const named = intake.data_sources.map((source) => kindOf(source, taxonomy.sources));
  return needs.flatMap(({ id, title }) =>
    (taxonomy.needs[id]?.needs_sources ?? [])
      .filter((source) => !named.includes(source))
      .map((source) => ({
        field: "data_sources",
        question: say(language, "missing_source", { need: title, source: say(language, `source_${source}`) }),
      })),
  );
}

/** Returns the question about a missing field or an unknown country. */
const questionOf = (field: string, { country }: Intake, language: ArchitectLanguage): string =>
  field === "country" && !blank(country)
    ? say(language, "unknown_country", { country: country.trim() })
    : say(language, `missing_${field}`);

/** The need that a goal may mean, by goal, to be asked about: see `meant.ts`. */
type Meant = ReadonlyMap<string, string>;

/** Returns the question about an unrecognised goal. */
function questionOfGoal(goal: string, meant: Meant, language: ArchitectLanguage): string {
  const need = taxonomy.needs[meant.get(goal) ?? ""]?.titles[language];
  return need === undefined
    ? say(language, "missing_goal", { goal })
    : say(language, "missing_goal_meant", { goal, need });
}

/** Returns the questions still open and the share already answered. */
function missingOf(intake: Intake, needs: readonly Need[], meant: Meant, language: ArchitectLanguage) {
  const absent: Readonly<Record<string, boolean>> = {
    company: blank(intake.company),
    country: countryCode(intake.country) === undefined,
    industry: blank(intake.industry),
    constraints: intake.constraints.every(blank),
    channels: intake.channels.every(blank),
    data_sources: intake.data_sources.every(blank),
    budget_credits: intake.budget_credits === undefined,
    consent: !intake.consent,
  };
  const asked = Object.entries(absent).map(([field, isAbsent]) => ({ field, isAbsent }));
  const unknown = needs.filter(({ known }) => !known).flatMap(({ goals }) => goals);
  const missing = [
    ...unknown.map((goal) => ({ field: "goals", question: questionOfGoal(goal, meant, language) })),
    ...asked
      .filter(({ isAbsent }) => isAbsent)
      .map(({ field }) => ({ field, question: questionOf(field, intake, language) })),
  ];
  const answered = asked.filter(({ isAbsent }) => !isAbsent).length + (intake.goals.length - unknown.length);
  return { missing, completeness: Math.round((answered / (asked.length + intake.goals.length)) * 100) / 100 };
}

/**
 * Parses an intake. Called whenever a solution is read, since only the intake itself is stored. `meant`: the needs that
 * questions about its goals may suggest.
 */
export function readIntake(intake: Intake, meant: Meant = new Map()): Reading {
  const language = languageOf(intake);
  const needs = needsOf(intake.goals, language);
  const constraints = intake.constraints
    .filter((text) => !blank(text))
    .map((text) => ({ text, kind: kindOf(text, taxonomy.constraints) }));
  const of = (wanted: string) => constraints.find(({ kind }) => kind === wanted)?.text;
  const contradictions = taxonomy.contradictions.flatMap(([a, b]) => {
    const [one, other] = [of(a), of(b)];
    if (one === undefined || other === undefined) return [];
    return [{ between: [one, other], message: say(language, "contradiction", { one, other }) }];
  });
  const { missing, completeness } = missingOf(intake, needs, meant, language);
  const sources = intake.data_sources.length > 0 ? missingSources(needs, intake, language) : [];
  const conflicts = contradictions.map(({ message }) => ({ field: "constraints", question: message }));
  return {
    language,
    completeness,
    missing: [...conflicts, ...missing, ...sources],
    needs,
    constraints,
    contradictions,
    ruled: new Set(constraints.flatMap(({ kind }) => kind ?? [])),
  };
}
