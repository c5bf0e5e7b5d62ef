import type { Mapping } from "./mapping.ts";
import { FileRefused, shown } from "./refusal.ts";

/** The columns of a table, from its header. */
export interface Header {
  /** Column names, joined over the header's lines; `#3` for a third column without one. */
  readonly names: readonly string[];
  /** Column units, if a line of the header has them; otherwise empty. */
  readonly units: readonly string[];
}

/** Joins the lines of a header: `Betten / Chirurgie`. Repeated parts are included once. */
export function headerOf(lines: readonly (readonly string[])[], { unit_line, damaged_text }: Mapping): Header {
  if (damaged_text !== "keep" && lines.some((cells) => cells.some((cell) => cell.includes("\ufffd"))))
    throw new FileRefused(
      "damaged_text",
      "some characters of its header were lost: it has another encoding, or was saved in a wrong one",
      "Set `encoding`, download it again, or keep it unchanged with `damaged_text: keep`.",
    );
  const width = Math.max(...lines.map((cells) => cells.length));
  const unitsAt = unit_line === undefined ? -1 : unit_line - 1;
  const cell = (line: number, at: number): string => (lines[line]?.[at] ?? "").trim();
  const columns = Array.from({ length: width }, (_, at) => at);
  return {
    names: columns.map((at) => {
      const parts = lines.flatMap((_, line) => (line === unitsAt || cell(line, at) === "" ? [] : [cell(line, at)]));
      return [...new Set(parts)].join(" / ") || `#${at + 1}`;
    }),
    units: columns.map((at) => cell(unitsAt, at)),
  };
}

/** Returns the indices of columns with that name: exact matches if there are any, otherwise ignoring case. */
function placesOf(names: readonly string[], wanted: string): number[] {
  const places = (isIt: (name: string) => boolean) => names.flatMap((name, at) => (isIt(name) ? [at] : []));
  const exact = places((name) => name === wanted);
  return exact.length > 0 ? exact : places((name) => name.toLowerCase() === wanted.toLowerCase());
}

/**
 * Returns the index of a column, by its name ignoring case or by its position as `#3`. Throws `FileRefused` if it is
 * missing or the name is ambiguous.
 */
export function columnAt({ names }: Header, column: string): number {
  const wanted = column.trim();
  const [found, ...more] = placesOf(names, wanted);
  if (found !== undefined && more.length > 0) {
    const all = [found, ...more].map((at) => `#${at + 1}`);
    const which = `${all.length} columns are called ${shown(column)}: ${all.join(", ")}`;
    throw new FileRefused("columns", which, `Name the intended one by its position, such as \`"${all[0]}"\`.`);
  }
  if (found !== undefined) return found;
  const [, place] = /^#(\d{1,4})$/.exec(wanted) ?? [];
  if (place !== undefined && Number(place) >= 1 && Number(place) <= names.length) return Number(place) - 1;
  const there = names.slice(0, 20).map(shown).join(", ");
  throw new FileRefused("columns", `it has no column ${shown(column)}; it has ${there}`, "Fix the mapping.");
}
