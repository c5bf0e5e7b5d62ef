import type { Block, Document, Section } from "./document.ts";
import { type Voice, voiceIn } from "./voice.ts";

/** Escapes Markdown and HTML, so that text of callers, sites and rows never becomes markup. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~!]/g, "\\$&").replace(/^([ \t]{0,99})([-+]|\d{1,9}[.)])(?=\s)/gm, "$1\\$2");

const line = (text: string): string =>
  escaped(text)
    .split("\n")
    .map((part) => part.trim())
    .join(" ");

const row = (cells: readonly string[]): string => `| ${cells.map(line).join(" | ")} |`;

function tableOf(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [`*${line(caption)}*`, "", row(columns), row(columns).replace(/[^|]+/g, " --- "), ...rows.map(row)].join("\n");
}

function blockOf(block: Block, { say }: Voice): string {
  if (block.kind === "paragraph") return escaped(block.text);
  if (block.kind === "list") return block.items.map((item) => `- ${line(item)}`).join("\n");
  if (block.kind === "table") return tableOf(block.caption, block.columns, block.rows);
  return tableOf(
    block.caption,
    ["", say("value")],
    block.bars.map(({ label, shown }) => [label, shown]),
  );
}

function sectionOf({ heading, step, blocks }: Section, voice: Voice): string {
  const source = step === null ? [] : [`*${line(voice.say("from_step", { step }))}*`];
  return [`## ${line(heading)}`, ...blocks.map((block) => blockOf(block, voice)), ...source].join("\n\n");
}

/** Renders a document as Markdown, with charts as tables of their values. */
export function markdownOf({ language, title, subtitle, sections }: Document): string {
  const voice = voiceIn(language);
  const parts = sections.map((section) => sectionOf(section, voice));
  return `${[`# ${line(title)}`, line(subtitle), ...parts].join("\n\n")}\n`;
}
