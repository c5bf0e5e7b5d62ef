import { filled } from "../../platform/text.ts";
import cs from "./data/texts.cs.json";
import de from "./data/texts.de.json";
import en from "./data/texts.en.json";
import sk from "./data/texts.sk.json";
import { livesWithParents, type Profile, pensionAge, studentAge } from "./persona.ts";
import type { Status } from "./traits.ts";
import type { Language } from "./words.ts";

/** The texts of personas and reports by language, in data files of one shape. */
export type Texts = typeof en;
export const textsIn: Readonly<Record<Language, Texts>> = { en, cs, sk, de };

type Role = keyof Texts["roles"];
const withDegree: readonly Role[] = ["teacher", "engineer", "manager", "office", "self_employed", "nurse"];
const without: readonly Role[] = ["worker", "shop", "driver", "office", "self_employed", "worker"];

/** Returns a person's role: by age, household and education, and otherwise evenly distributed. */
function roleOf({ number, age, household, tertiary, income_decile }: Profile, statuses: readonly Status[]): Role {
  const isAny = statuses.length === 0;
  if (age >= pensionAge) return "pensioner";
  const isOld = age > studentAge || !statuses.includes("student");
  if (isAny ? age <= 21 || (age <= studentAge && number % 3 !== 0) : !isOld) return "student";
  if (isAny && household === "family" && age < 40 && income_decile <= 3) return "home";
  const roles = (tertiary ? withDegree : without).filter(
    (role) => isAny || statuses.includes(role === "self_employed" ? "self_employed" : "employed"),
  );
  return roles[(number * 7 + age) % roles.length] ?? "office";
}

/**
 * Returns a person's role and short bio in the language; the role fits one of the statuses, if any. No real person is
 * described.
 */
export function wordsFor(
  person: Profile,
  language: Language,
  statuses: readonly Status[],
): { role: string; bio: string } {
  const texts = textsIn[language];
  const { age, sex, household, urban, income_decile, uses_internet, buys_online, insured } = person;
  const role = texts.roles[roleOf(person, statuses)][sex === "f" ? 0 : 1] ?? "";
  const income = texts.income[income_decile <= 3 ? 0 : income_decile <= 7 ? 1 : 2];
  const online = texts.online[buys_online ? 2 : uses_internet ? 1 : 0];
  const parts = [
    filled(texts.age, { age }),
    `${texts.household[livesWithParents(person) ? "with_parents" : household]} ${texts.place[urban ? "urban" : "rural"]}`,
    income,
    online,
    texts.insured[insured ? 1 : 0],
  ];
  return { role, bio: `${parts.join(", ")}.` };
}
