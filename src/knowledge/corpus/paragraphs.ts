import { clauseOf, isClauseTitle, isLabelAlone } from "./clauses.ts";

/** Words that may follow a hyphen which stays: `Haus- und Grundbesitz`. */
const linking = /^(und|oder|sowie|bzw|bis|a|i|nebo|či|alebo|lub|oraz|and|or|et|ou)(?!\p{L})/u;
const brokenWord = /\p{L}[-\u2010\u00ad]$/u;

/** A title has fewer characters: longer text needs no look at whether it is one. */
const titleBelow = 60;

/**
 * Text that grows line by line. It looks at the last line alone, and the lines become one string at the end: a
 * paragraph of a million lines costs a million steps, and not their square.
 */
export class LineJoiner {
  private parts: string[] = [];
  private length = 0;

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** The line that came last, as it now ends the text. */
  get lastLine(): string {
    return this.parts.at(-1) ?? "";
  }

  /** The text when it is short enough for a title, else undefined. */
  get asTitle(): string | undefined {
    return this.length < titleBelow ? this.parts.join("") : undefined;
  }

  /** Adds a line. A word that was broken at the end of the line before becomes whole again. */
  add(line: string): void {
    if (line === "") return;
    const last = this.lastLine;
    if (!brokenWord.test(last.slice(-3)) || !/^\p{Ll}/u.test(line) || linking.test(line)) {
      this.push(this.isEmpty ? line : ` ${line}`);
      return;
    }
    // Czech: in `je-li` the hyphen is the word's own.
    if (!/^li(?!\p{L})/u.test(line)) {
      this.parts[this.parts.length - 1] = last.slice(0, -1);
      this.length--;
    }
    this.push(line);
  }

  private push(part: string): void {
    this.parts.push(part);
    this.length += part.length;
  }

  /** Returns the text and starts again from nothing. */
  take(): string {
    const text = this.parts.join("");
    this.parts = [];
    this.length = 0;
    return text;
  }
}

const bullet = /^[-–•*·▪●■□✓✔✗✘]\s+\S/;
const letter = /^(?:\(?[a-z]{1,2}\)|[ivx]{1,4}[.)])\s+\S/;

/** Whether a line begins a block of its own, whatever comes before it. */
export function beginsBlock(line: string): boolean {
  if (bullet.test(line) || letter.test(line)) return true;
  const clause = clauseOf(line);
  // A line that happens to begin with `§ 5` or `Art. 3` continues with lower case.
  return clause !== undefined && (clause.rest === "" || !/^\p{Ll}/u.test(clause.rest) || clause.rank > 3);
}

/** Whether a line continues the text so far, or begins a paragraph of its own. */
export function continues(before: LineJoiner, line: string): boolean {
  const title = before.asTitle;
  if (title !== undefined) {
    // After a title something new begins, unless the line continues with lower case.
    if (isLabelAlone(title) || (isClauseTitle(title) && !/^\p{Ll}/u.test(line))) return false;
  }
  return !beginsBlock(line);
}

/** The paragraphs that lines make: each continues until something begins. */
export function joinLines(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  const paragraph = new LineJoiner();
  for (const line of lines) {
    if (!paragraph.isEmpty && !continues(paragraph, line)) paragraphs.push(paragraph.take());
    paragraph.add(line);
  }
  if (!paragraph.isEmpty) paragraphs.push(paragraph.take());
  return paragraphs;
}
