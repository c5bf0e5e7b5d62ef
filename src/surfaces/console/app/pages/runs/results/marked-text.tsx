import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A highlighted range of a text, in UTF-16 units, with its style and its explanation. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly look: "good" | "uneasy" | "bad";
  /** The id of the element that explains it. */
  readonly explainedBy: string;
  /** A label for readers who can't see the colour. */
  readonly label: string;
}

/** A text with highlighted ranges. If ranges overlap, the first one wins; ranges beyond the text are ignored. */
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
