import type { TextRun } from "./pdf-lines.ts";
import { type Shift, shifted } from "./shifted.ts";

/** In parts of the line's type size: a raised or lowered sign is smaller, stands beside its word, and so far off the line. */
const smallerThan = 0.8;
const besideAtMost = 0.35;
const aboveFrom = 0.15;
const aboveAtMost = 0.75;
const belowFrom = 0.08;
const belowAtMost = 0.35;

const isSign = (text: string): boolean => /\d/.test(text) && text.trim().length <= 6 && !/\p{L}/u.test(text);

/** Where a run stands beside a word of its line; undefined: it is a word itself, or of another line. */
function shiftBeside(run: TextRun, word: TextRun | undefined): Shift | undefined {
  if (word === undefined || run.size > word.size * smallerThan) return undefined;
  const gap = run.x < word.x ? word.x - (run.x + run.width) : run.x - (word.x + word.width);
  if (Math.abs(gap) > besideAtMost * word.size) return undefined;
  const up = (run.y - word.y) / word.size;
  if (up >= aboveFrom && up <= aboveAtMost) return "above";
  return -up >= belowFrom && -up <= belowAtMost ? "below" : undefined;
}

/**
 * Runs of a page, as its file writes them one after the other, with the marks of footnotes and exponents on the line that
 * they belong to and in signs of their own: an amount with a raised `1` after it has no digit more.
 */
export function withRaised(runs: readonly TextRun[]): TextRun[] {
  return runs.map((run, at) => {
    if (!isSign(run.text)) return run;
    for (const word of [runs[at - 1], runs[at + 1]]) {
      const shift = shiftBeside(run, word);
      if (word && shift) return { ...run, text: shifted(run.text, shift), y: word.y };
    }
    return run;
  });
}
