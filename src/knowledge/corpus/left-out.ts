import { tidy } from "./blocks.ts";

const quotedAtMost = 3;
const charactersAtMost = 60;

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

const quoted = (text: string): string =>
  `"${text.length <= charactersAtMost ? text : `${text.slice(0, charactersAtMost - 1).trimEnd()}…`}"`;

/** Returns the note about `number` omitted places, described by `one` or `many`; empty if there are none. */
export const leftOut = (number: number, one: string, many: string): string[] =>
  number === 0 ? [] : [`${count(number, one, many)} left out`];

/** Returns the note about texts omitted for the reason `as`. It quotes the longest, to expose a wrong omission. */
export function leftOutAs(as: string, texts: readonly string[]): string[] {
  const different = [...new Set(texts.map(tidy))].filter((text) => /[\p{L}\p{N}]/u.test(text));
  if (different.length === 0) return [];
  const longest = different.sort((a, b) => b.length - a.length).slice(0, quotedAtMost);
  const more = different.length - longest.length;
  return [`left out as ${as}: ${longest.map(quoted).join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

/** Returns the note about struck-out text, which its author has marked as no longer valid. */
export const struckOut = (places: number): string[] =>
  leftOut(places, "place with struck-out text is", "places with struck-out text are");
