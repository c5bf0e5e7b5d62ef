import { fold } from "../../platform/text.ts";
import type { Block, Format } from "./blocks.ts";
import { clauseOf, isClauseTitle, isLabelAlone, looksLikeTitle } from "./clauses.ts";

/** The part of a document between two headings. */
export interface Section {
  /** The headings above it, outermost first. */
  readonly path: readonly string[];
  readonly blocks: readonly Block[];
}

const contentsTitle =
  /^(obsah|inhalt(sverzeichnis|sübersicht)?|(table of )?contents|spis tre[sś]ci|sommaire|table des mati[eè]res)\s*:?$/i;
const leader = /(\.\s?){4,}\s*\d{0,4}$|…+\s*\d{1,4}$/;
/** Only the end of a line is searched for a leader, since a long row of dots would take quadratic time. */
const leaderAtMost = 32;
const hasLeader = (text: string): boolean => leader.test(text.slice(-leaderAtMost));
/** A table of contents ends after more consecutive lines that do not occur later in the document. */
const mostMisses = 4;
/** Number of folded characters by which titles are compared. */
const compared = 24;

const keyOf = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/ \d{1,4}$/, "")
    .trim()
    .slice(0, compared);

/** Removes tables of contents: lines with leaders and, below a contents title, entries that occur again later. */
function withoutContents(blocks: readonly Block[]): Block[] {
  const last = new Map<string, number>();
  for (const [i, { text }] of blocks.entries()) last.set(keyOf(text), i);
  const kept: Block[] = [];
  for (let i = 0; i < blocks.length; i++) {
    const one = blocks[i];
    if (!one || hasLeader(one.text)) continue;
    if (!contentsTitle.test(one.text)) {
      kept.push(one);
      continue;
    }
    let end = i;
    for (let at = i + 1; at < blocks.length && at - end <= mostMisses; at++) {
      const text = blocks[at]?.text ?? "";
      const occursAgain = (last.get(keyOf(text)) ?? 0) > at && text.length < 160;
      if (occursAgain || hasLeader(text) || (text.length < 120 && /\s\d{1,3}$/.test(text))) end = at;
    }
    i = end;
  }
  return kept;
}

const marker = /^(?:\(\d{1,3}[a-z]?\)|\(?[a-z]{1,2}\)|\d{1,3}[.)]|[-–•*·])$/;

/** Merges a marker on a line of its own with the block that it numbers. */
function withMarkers(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  let open: Block | undefined;
  for (const one of blocks) {
    if (open && one.kind !== "heading" && marker.test(one.text)) {
      open = { ...one, text: `${open.text} ${one.text}` };
      continue;
    }
    if (open) joined.push(one.kind === "heading" ? open : { ...one, kind: "item", text: `${open.text} ${one.text}` });
    if (open && one.kind === "heading") joined.push(one);
    const isMarker: boolean = !open && one.kind !== "heading" && marker.test(one.text);
    if (!open && !isMarker) joined.push(one);
    open = isMarker ? one : undefined;
  }
  return open ? [...joined, open] : joined;
}

interface Title {
  readonly text: string;
  readonly rank: number;
  readonly block: Block;
  readonly isLabel: boolean;
}

/** Checks for formats in which a title's words say more about its level than its style: PDF and plain text. */
const isLoose = (format: Format): boolean => format === "pdf" || format === "text";
const bodyLevel = 9;
/** Maximum characters of a title in a path. Some sources mark whole pages as titles, and paths repeat them. */
const titleAtMost = 300;
/** Rank below all clauses of the same type size. */
const unnumbered = 9;

const pathOf = (titles: readonly Title[]): string[] => titles.map(({ text }) => text.slice(0, titleAtMost));

/** Returns the block as a title; undefined if it is not one. A paragraph is one if it reads like a clause's title. */
function titleOf(one: Block, format: Format): Title | undefined {
  const found = clauseOf(one.text);
  // A sentence that starts with its clause number is not a title, however large its type.
  const clause = found?.rank === 9 ? undefined : found;
  const isLabel = isLabelAlone(one.text);
  if (one.kind === "heading") {
    const rank = one.level * 10 + (isLoose(format) ? (clause?.rank ?? unnumbered) : 0);
    return { text: one.text, rank, block: one, isLabel };
  }
  if (one.kind !== "paragraph" || !clause || !isClauseTitle(one.text)) return undefined;
  return { text: one.text, rank: bodyLevel * 10 + clause.rank, block: one, isLabel };
}

/** Checks whether a block is the title of the clause number before it, as `Výluky` after `Článek 3`. */
function completes(label: Title, next: Block, format: Format): boolean {
  if (clauseOf(next.text) !== undefined) return false;
  if (next.kind === "heading") return next.level === label.block.level || isLoose(format) || label.block.level === 0;
  return next.kind === "paragraph" && isLoose(format) && looksLikeTitle(next.text) && next.text.length <= 80;
}

/**
 * Returns sections in reading order. A title with nothing below it becomes text of the section above, so that no
 * content is lost.
 */
export function structure(blocks: readonly Block[], format: Format): Section[] {
  const sections: { readonly path: readonly string[]; readonly blocks: Block[] }[] = [];
  const stack: Title[] = [];
  let body: Block[] = [];
  let fresh: Title | undefined;

  const close = (next: Title | undefined): void => {
    // A title heads the next one only if that is deeper. Otherwise it stands alone.
    const isLeaf = fresh !== undefined && body.length === 0 && (next === undefined || next.rank <= fresh.rank);
    if (isLeaf && fresh) {
      const path = pathOf(stack.slice(0, -1));
      const before = sections.at(-1);
      const text: Block = { kind: "item", text: fresh.text, level: 0, page: fresh.block.page };
      if (before && before.path.join("\n") === path.join("\n") && stack.length > 1) before.blocks.push(text);
      else sections.push({ path, blocks: [text] });
    }
    if (body.length > 0) sections.push({ path: pathOf(stack), blocks: body });
    body = [];
  };

  for (const one of withMarkers(withoutContents(blocks))) {
    if (fresh?.isLabel && body.length === 0 && completes(fresh, one, format)) {
      fresh = { ...fresh, text: `${fresh.text} ${one.text}`, isLabel: false };
      stack[stack.length - 1] = fresh;
      continue;
    }
    const title = titleOf(one, format);
    if (!title) {
      body.push(one);
      continue;
    }
    // Some laws print the number of a group's first section above the group's title; it belongs below.
    const early = fresh?.isLabel && body.length === 0 && !isLoose(format) && clauseOf(one.text) === undefined;
    const held = early && fresh && title.rank < fresh.rank ? fresh : undefined;
    if (held) stack.pop();
    else close(title);
    while ((stack.at(-1)?.rank ?? 0) >= title.rank) stack.pop();
    stack.push(title);
    if (held) stack.push(held);
    fresh = held ?? title;
  }
  close(undefined);
  return sections;
}
