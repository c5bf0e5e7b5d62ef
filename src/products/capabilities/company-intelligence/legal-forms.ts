import signals from "./signals.json" with { type: "json" };
import { clean } from "./text.ts";

/** Legal forms such as `s.r.o.` or `GmbH`. They mark a name, and vote for a country. */

const escaped = (form: string): string =>
  form
    .split(/\s+/)
    .map((part) =>
      part
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/\\\.(?=.)/g, "\\.?\\s?")
        .replace(/\\\.$/, "\\.?"),
    )
    .join("\\s*");
const byCountry = Object.entries(signals.countries).flatMap(([country, signal]) =>
  "legal_forms" in signal ? signal.legal_forms.map((form) => ({ form, country })) : [],
);
const forms = [...new Set(byCountry.map(({ form }) => form))].sort((a, b) => b.length - a.length);
const anyForm = `(?:${forms.map(escaped).join("|")})`;
const ending = new RegExp(`[\\s,]+${anyForm}$`, "u");
const inside = new RegExp(`(?<![\\p{L}\\p{N}])${anyForm}(?![\\p{L}\\p{N}])`, "gu");
const norm = (form: string): string => form.replace(/[\s.]/g, "").toLowerCase();
const countriesByForm = Map.groupBy(byCountry, ({ form }) => norm(form));

/** Returns the name alone: `Novák a syn` of `Novák a syn, s.r.o.` */
export const withoutForm = (name: string): string => name.replace(ending, "").replace(/(?<![\s,])[\s,]+$/, "") || name;

/** Returns the legal form at the end of a name. */
export const legalForm = (name: string): string | undefined => name.match(ending)?.[0].replace(/^[\s,]+/, "");

const nothingElse = new RegExp(`^${anyForm}$`, "u");
/** Returns whether a text is a legal form and nothing else. */
export const isLegalForm = (text: string): boolean => nothingElse.test(text);

/** Returns the countries that have this legal form. */
export const countriesOfForm = (form: string): string[] => [
  ...new Set((countriesByForm.get(norm(form)) ?? []).map(({ country }) => country)),
];

const connector = /^(&|\+|-|–|a|and|und|et|i|of|the|de|du|des|la|le|y|der|für|pro)$/;
const capitalised = /^[\p{Lu}\p{N}"'„“(][\p{L}\p{N}&.'’+"”“()-]*,?$|^[a-z]{1,3}\p{Lu}[\p{L}\p{N}]*,?$/u;
const lead = /^(copyright|©|\(c\)|\d{4}[-–]?(\d{4})?|by|the|and|und|a|et|&|-|–)$/i;

/** Returns the name before a legal form in a line, with the form; null if there is none. */
export function nameWithForm(line: string): string | null {
  for (const found of line.matchAll(inside)) {
    const before =
      line
        .slice(Math.max(0, found.index - 80), found.index)
        .split(/[|•·:;©]|\. |\d{4}\s/)
        .at(-1) ?? "";
    const words = clean(before).split(" ");
    const name: string[] = [];
    for (const word of words.toReversed()) {
      if (!(capitalised.test(word) || (name.length > 0 && connector.test(word))) || name.length === 7) break;
      name.unshift(word);
    }
    while (name[0] !== undefined && lead.test(name[0])) name.shift();
    const said = clean(name.join(" ").replace(/,$/, ""));
    if (said.length >= 2 && /\p{L}{2}/u.test(said))
      return `${said}${/,$/.test(words.at(-1) ?? "") ? "," : ""} ${clean(found[0])}`;
  }
  return null;
}
