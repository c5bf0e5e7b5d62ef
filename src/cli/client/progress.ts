import type { Io } from "../io.ts";
import { paint, type Tone, width, wrap } from "./screen.ts";

export type Mark = "open" | "busy" | "waits" | "done" | "bad";

/** A line of a progress list, such as a run's step. */
export interface Item {
  readonly mark: Mark;
  readonly text: string;
}

/** Shows progress: a headline, and a list below it. */
export type Progress = (line: string, items?: readonly Item[]) => void;

const signs: Readonly<Record<Mark, readonly [sign: string, tone: Tone]>> = {
  open: ["·", "dim"],
  busy: [">", "bold"],
  waits: ["?", "warn"],
  done: ["✓", "good"],
  bad: ["✗", "bad"],
};

function itemLines(io: Io, { mark, text }: Item): string[] {
  const [sign, tone] = signs[mark];
  return wrap(text, io.errColumns - 5).map((line, index) =>
    index === 0 ? `  ${paint(io, tone, sign)} ${line}` : `    ${line}`,
  );
}

/**
 * Returns a progress display on stderr. On a terminal it is rewritten in place, with the elapsed time and, if it fits,
 * the list; elsewhere each new headline is a line.
 */
export function createProgress(io: Io): Progress {
  const { runtime } = io;
  const began = runtime.elapsed();
  /** Number of terminal rows that the last output takes. */
  let rows = 0;
  let last: string | undefined;
  return (headline, items = []) => {
    if (io.liveRows === 0) {
      if (headline !== last) io.err(paint(io, "dim", headline));
      last = headline;
      return;
    }
    const seconds = Math.floor((runtime.elapsed() - began) / 1000);
    const head = wrap(seconds > 0 ? `${headline} · ${seconds} s` : headline, io.errColumns).map((line) =>
      paint(io, "dim", line),
    );
    const list = items.flatMap((item) => itemLines(io, item));
    const lines = head.length + list.length < io.liveRows ? [...head, ...list] : head;
    const text = lines.join("\n");
    if (text === last) return;
    // Returns to where the last output began and clears the rest. Lines that have scrolled off can't be rewritten.
    const again = rows > 0 && rows < io.liveRows ? `\u001b[${rows}F\u001b[J` : "";
    io.err(again + text);
    rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / io.errColumns)), 0);
    last = text;
  };
}
