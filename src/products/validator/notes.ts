import { filled } from "../../platform/text.ts";
import type { Studied } from "./conclude.ts";
import type { Texts } from "./texts.ts";
import type { Trait } from "./traits.ts";

type Asked = Pick<Studied, "drawn" | "asked">;

/** Returns the traits in words. */
export const labelled = (traits: readonly Trait[], texts: Texts): string =>
  traits.map(({ label }) => label(texts)).join(", ");

/** Returns the traits asked for that none of the personas has. */
export const unasked = ({ drawn, asked }: Asked): readonly Trait[] =>
  drawn.left_out.filter(({ fits }) => !asked.some(({ persona }) => fits(persona)));

/**
 * Returns the notes, one sentence each in the hypothesis's language: how the personas differ from the target group, and
 * what was assumed about the price.
 */
export function notesOf(
  studied: Asked & Pick<Studied, "matter" | "market" | "other_market" | "not_used" | "undescribed" | "read">,
): string[] {
  const { matter, market, other_market: audience } = studied;
  const { texts } = matter;
  const nobody = unasked(studied);
  const some = studied.drawn.left_out.filter((trait) => !nobody.includes(trait));
  const quoted = (phrases: readonly string[]) => phrases.map((phrase) => `"${phrase}"`).join(", ");
  const words = quoted(studied.not_used);
  const { not_used, areFirms } = studied.undescribed;
  return [
    ...(audience === null ? [] : [filled(texts.notes.other_market, { audience, market: market.code })]),
    ...(nobody.length > 0 ? [filled(texts.notes.elsewhere, { left_out: labelled(nobody, texts) })] : []),
    ...(some.length > 0 ? [filled(texts.notes.left_out, { left_out: labelled(some, texts) })] : []),
    ...(words === "" ? [] : [filled(texts.notes.not_used, { words })]),
    ...(not_used.length > 0
      ? [filled(areFirms ? texts.notes.firms : texts.notes.undescribed, { words: quoted(not_used) })]
      : []),
    ...studied.read.remarks.map(({ remark, words: of }) => filled(texts.price_notes[remark], { words: of })),
  ];
}
