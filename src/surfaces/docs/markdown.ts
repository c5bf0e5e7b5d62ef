import { notBlank } from "../../platform/schema.ts";
import type { JsonSchema } from "../../web/openapi-document.ts";

/** Words and tables that several pages are made of. */

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A Markdown table. Bars and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** A Markdown list with bullets. */
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Text in code style; it may have no backtick in it. */
export const code = (text: string): string => `\`${text}\``;
/** Several in code style, with commas between. */
export const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

/** A code block of the language. */
export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Headings moved down by so many levels; what is in a code fence stays as it is. */
export const deeper = (levels: number, markdown: string): string =>
  markdown
    .split(/^(?=```)/m)
    .map((part, i) => (i % 2 === 0 ? part.replace(/^(?=#+ )/gm, "#".repeat(levels)) : part))
    .join("");

/** `1-10`, `at least 1`, `at most 10`; nothing where there is no bound. */
function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `, at least ${counted(least, unit)}`;
  if (least === undefined) return `, at most ${counted(most, unit)}`;
  return least === most ? `, exactly ${counted(most, unit)}` : `, ${least}-${counted(most, unit)}`;
}

/** `3 items`, `1 item`; without a unit the number alone. */
const counted = (count: number | undefined, unit: string): string =>
  unit === "" ? String(count) : `${count} ${unit}${count === 1 ? "" : "s"}`;

/** What a text has to look like: the pattern, but for the one that nobody could read, with characters that don't show. */
function patternWords(pattern: string | undefined): string {
  if (pattern === undefined) return "";
  return pattern === notBlank.pattern ? ", not only blanks" : `, matching ${code(pattern)}`;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** What a schema takes, in a few words: `string, 3-1500 characters`. */
export function typeWords(schema: JsonSchema): string {
  if (schema.$ref) return code(nameOf(schema.$ref));
  if (schema.anyOf) return schema.anyOf.map(typeWords).join(" or ");
  if (schema.const !== undefined) return `always ${code(String(schema.const))}`;
  if (schema.enum) return `one of ${codes(schema.enum.map(String))}`;
  const start = schema.default === undefined ? "" : `, default ${JSON.stringify(schema.default)}`;
  switch (schema.type) {
    case "string": {
      const length = bounds(schema.minLength, schema.maxLength, "character");
      return `string${schema.format ? ` (${schema.format})` : ""}${length}${patternWords(schema.pattern)}${start}`;
    }
    case "integer":
    case "number":
      return `${schema.type}${bounds(schema.minimum, schema.maximum, "")}${start}`;
    case "array":
      return `array of ${typeWords(schema.items ?? {})}${bounds(schema.minItems, schema.maxItems, "item")}`;
    case "object":
      return typeof schema.additionalProperties === "object"
        ? `object, each value ${typeWords(schema.additionalProperties)}`
        : "object";
    default:
      return schema.type ?? "any JSON";
  }
}

/** What a reference names, where references are followed. */
type Resolve = (schema: JsonSchema) => JsonSchema;
const asItIs: Resolve = (schema) => schema;
/** Objects in objects are followed so deep: some contain themselves. */
const deepest = 4;

/** The members of an object, those of objects inside it after their place: `steps[].key`. */
export function fields(schema: JsonSchema, place = "", resolve = asItIs): string[][] {
  if (place.split(".").length > deepest) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const at = `${place}${name}`;
    const required = schema.required?.includes(name) ? "yes" : "no";
    const [whole, suffix] = member.type === "array" && member.items ? [member.items, "[]."] : [member, "."];
    const found = resolve(whole);
    const options = found.anyOf?.map(resolve).filter((option) => option.properties) ?? [];
    const inner = options.length === 1 && options[0] ? options[0] : found;
    return [[code(at), typeWords(member), required, member.description ?? ""], ...fields(inner, at + suffix, resolve)];
  });
}

/** A table of an object's members; a sentence where there are none. */
export function fieldTable(schema: JsonSchema, resolve = asItIs): string {
  const rows = fields(schema, "", resolve);
  return rows.length === 0 ? "No fields." : table(["Field", "Type", "Required", "Meaning"], rows);
}
