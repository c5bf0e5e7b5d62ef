import { notBlank } from "../../platform/schema.ts";
import type { JsonSchema } from "../../web/openapi-document.ts";

/** Markdown fragments shared by several pages. */

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** Formats a Markdown table. Bars and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Formats a bulleted Markdown list. */
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Formats text as inline code. It must not contain a backtick. */
export const code = (text: string): string => `\`${text}\``;
/** Formats texts as inline code, separated by commas. */
export const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

/** Formats a fenced code block. */
export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Moves headings down by that many levels, except inside code fences. */
export const deeper = (levels: number, markdown: string): string =>
  markdown
    .split(/^(?=```)/m)
    .map((part, i) => (i % 2 === 0 ? part.replace(/^(?=#+ )/gm, "#".repeat(levels)) : part))
    .join("");

/** Formats bounds: `1-10`, `at least 1`, `at most 10`; empty if there are none. */
function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `, at least ${counted(least, unit)}`;
  if (least === undefined) return `, at most ${counted(most, unit)}`;
  return least === most ? `, exactly ${counted(most, unit)}` : `, ${least}-${counted(most, unit)}`;
}

/** Formats a count: `3 items`, `1 item`; without a unit, the number alone. */
const counted = (count: number | undefined, unit: string): string =>
  unit === "" ? String(count) : `${count} ${unit}${count === 1 ? "" : "s"}`;

/**
 * Describes a string's pattern. The pattern for "not blank" is unreadable, because it contains invisible characters, so
 * it is described in words.
 */
function patternWords(pattern: string | undefined): string {
  if (pattern === undefined) return "";
  return pattern === notBlank.pattern ? ", not only blanks" : `, matching ${code(pattern)}`;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Describes the values that a schema allows: `string, 3-1500 characters`. */
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

/** Resolves a schema's `$ref`. */
type Resolve = (schema: JsonSchema) => JsonSchema;
const asItIs: Resolve = (schema) => schema;
/** Maximum nesting depth of fields: some schemas contain themselves. */
const deepest = 4;

/** Returns the rows of an object's members, with nested members under their path: `steps[].key`. */
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

/** Formats a table of an object's members, or a sentence if there are none. */
export function fieldTable(schema: JsonSchema, resolve = asItIs): string {
  const rows = fields(schema, "", resolve);
  return rows.length === 0 ? "No fields." : table(["Field", "Type", "Required", "Meaning"], rows);
}
