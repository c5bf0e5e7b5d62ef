import { isCopula } from "../../language/statement-words.ts";
import type { Lexeme, Quantity } from "./lex.ts";
import type { Mark } from "./periods.ts";

/** The scope of a part of a sentence: a condition, an exception, or null for what the sentence states outright. */
export type Span = "condition" | "exception" | null;

interface Spanned {
  readonly form: string;
  readonly role: string;
  readonly quantity: Quantity | null;
  span: Span;
}

/**
 * Returns where an exception without a closing cut ends: `claims other than whiplash are paid` continues with its verb.
 */
function endOfException(drafts: readonly Spanned[], from: number, at: number, to: number, language: string): number {
  const isVerb = ({ role, form }: Spanned) => role === "predicate" || isCopula(form, language);
  // A verb before the exception is the sentence's own, so all that follows is excepted.
  if (from === at || drafts.slice(from, at).some(isVerb)) return to;
  const verb = drafts.findIndex((draft, i) => i > at && i < to && isVerb(draft));
  return verb < 0 ? to : verb;
}

/**
 * Sets the spans of conditions and exceptions: from the mark to the next cut, or back to the last one if the mark
 * follows them.
 */
export function setSpans(
  drafts: Spanned[],
  lexemes: readonly Lexeme[],
  marks: readonly Mark[],
  language: string,
): void {
  const spans = marks.filter(({ class: wanted }) => /^(?:condition|exception|exception-after)$/.test(wanted));
  for (const { class: wanted, at, length } of spans) {
    // `except when it was left` is one exception, not a condition.
    const isLed = spans.some((one) => one.class === "exception" && one.at + one.length === at);
    if (wanted === "condition" && isLed) continue;
    const isBehind = wanted === "exception-after";
    const span = wanted === "condition" ? "condition" : "exception";
    const cutAfter = lexemes.findIndex((lexeme, i) => i >= at + length && lexeme.cut);
    const cutBefore = Math.max(
      0,
      lexemes.findLastIndex((lexeme, i) => i <= at && lexeme.cut),
    );
    const cut = cutAfter < 0 ? lexemes.length : cutAfter;
    const end = wanted === "exception" ? endOfException(drafts, cutBefore, at, cut, language) : cut;
    const [from, to] = isBehind ? [cutBefore, at] : [at + length, end];
    for (let i = from; i < to; i += 1) (drafts[i] as Spanned).span = span;
  }
  // German may put the verb first instead of a conjunction: `War das Rad abgeschlossen, …`.
  if (language !== "de" || !/^(?:war|ist|sind|wird|wurde|hat|waren)$/.test(lexemes[0]?.form ?? "")) return;
  const comma = lexemes.findIndex((lexeme, i) => i > 0 && lexeme.cut);
  for (let i = 1; i < comma; i += 1) (drafts[i] as Spanned).span = "condition";
}
