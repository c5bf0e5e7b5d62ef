import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A piece of a text that is marked: its place in UTF-16 units, its look, and where its explanation stands. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly look: "good" | "uneasy" | "bad";
  /** The id of the element that explains it. */
  readonly explainedBy: string;
  /** What it is, for those who do not see the colour. */
  readonly label: string;
}

/** A text with its marks in place. Of marks that overlap, the first one holds; places beyond the text are left out. */
export function MarkedText({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end, look, explainedBy, label } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end > text.length || end <= start) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className={look} title={label} aria-describedby={explainedBy}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return <Box className="passage">{parts}</Box>;
}
