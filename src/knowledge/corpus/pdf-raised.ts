import type { TextRun } from "./pdf-lines.ts";
import { type Shift, shifted } from "./shifted.ts";

/** Limits of a raised or lowered run's size, gap to its word and offset, as fractions of the word's type size. */
const smallerThan = 0.8;
const besideAtMost = 0.35;
const aboveFrom = 0.15;
const aboveAtMost = 0.75;
const belowFrom = 0.08;
const belowAtMost = 0.35;

const isSign = (text: string): boolean => /\d/.test(text) && text.trim().length <= 6 && !/\p{L}/u.test(text);

/** Returns the shift of a run relative to a word; undefined if it is a word itself or belongs to another line. */
function shiftBeside(run: TextRun, word: TextRun | undefined): Shift | undefined {
  if (word === undefined || run.size > word.size * smallerThan) return undefined;
  const gap = run.x < word.x ? word.x - (run.x + run.width) : run.x - (word.x + word.width);
  if (Math.abs(gap) > besideAtMost * word.size) return undefined;
  const up = (run.y - word.y) / word.size;
  if (up >= aboveFrom && up <= aboveAtMost) return "above";
  return -up >= belowFrom && -up <= belowAtMost ? "below" : undefined;
}

/**
 * Converts footnote marks and exponents to superscript or subscript characters on the baseline of their word, so that a
 * raised `1` after an amount does not add a digit. Runs are in the order of the file.
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
