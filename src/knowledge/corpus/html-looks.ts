/** Effect of a CSS declaration on its text. `inherits`: the same as the parent element. */
export type Effect = "hides" | "shows" | "inherits";

/** An element's declarations by property, limited to those that may hide its text or cast doubt on its being hidden. */
export type Look = ReadonlyMap<string, Effect>;

type Test = (value: string) => boolean;
const is =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value);

/** The largest value, per unit, at which text is unreadable or invisible. */
const unreadable: Readonly<Record<string, number>> = { "": 0, px: 1, pt: 1, em: 0.05, rem: 0.05, "%": 5 };
/** The offset to the left or top, per unit, beyond which text can't be scrolled into view. */
const outOfReach: Readonly<Record<string, number>> = { px: -999, pt: -749, em: -62, rem: -62, vw: -100, vh: -100 };

/** Splits a value into number and unit. The number of `auto` and other keywords is NaN. */
const lengthOf = (value: string): { amount: number; unit: string } => ({
  amount: Number.parseFloat(value),
  unit: value.replace(/^[-+.\d]+/, ""),
});

const isSmall: Test = (value) => {
  const { amount, unit } = lengthOf(value);
  return amount >= 0 && amount <= (unreadable[unit] ?? 0);
};
const isFarOut: Test = (value) => {
  const { amount, unit } = lengthOf(value);
  return amount <= (outOfReach[unit] ?? Number.NEGATIVE_INFINITY);
};
const isClear: Test = (value) => Number.parseFloat(value) <= (value.endsWith("%") ? 1 : 0.01);

/** The values of each property that hide text, alone or combined with another property (`isHidden`). */
const hiding: Readonly<Record<string, Test>> = {
  display: is(/^none$/),
  visibility: is(/^(?:hidden|collapse)$/),
  "content-visibility": is(/^hidden$/),
  "font-size": isSmall,
  opacity: isClear,
  transform: is(/\bscale(?:3d|x|y)?\(0[,)]/),
  clip: is(/^rect\((\w+)(?:[, ]+\1){3}\)$/),
  "clip-path": is(/^(?:inset\((?:[5-9]\d|100)%\)|circle\(0(?:px|%)?\))/),
  position: is(/^(?:absolute|fixed)$/),
  left: isFarOut,
  top: isFarOut,
  "margin-left": isFarOut,
  "text-indent": isFarOut,
  overflow: is(/^(?:hidden|clip)\b/),
  height: isSmall,
  "max-height": isSmall,
  "min-height": isSmall,
  animation: is(/^none\b/),
  "animation-name": is(/^none$/),
  transition: is(/^none\b/),
  "transition-property": is(/^none$/),
  "text-decoration": is(/\bline-through\b/),
  "text-decoration-line": is(/\bline-through\b/),
};

const inherited: Readonly<Record<string, Test>> = {
  visibility: is(/^(?:inherit|unset)$/),
  "font-size": is(/^(?:inherit|unset|larger|smaller|[\d.]+(?:em|ex|ch|%))$/),
};

/** Valid values of `display`. A browser ignores any other, so the earlier declaration still applies. */
const displays =
  /^(?:none|contents|block|inline|flow|flex|grid|table|list-item|ruby|run-in|-|inherit|initial|unset|revert|var\()/;

/** Returns the font size in a `font` value. */
function sizeIn(font: string): string {
  const size = font.split(" ").find((part) => /^(?:0(?:\/|$)|[\d.]+(?:[a-z]+|%))/.test(part));
  return size?.replace(/\/.*/, "") ?? "medium";
}

/** Returns the property that a declaration affects, and the effect; null if it is irrelevant to hidden text. */
export function effectOf(property: string, value: string): { property: string; effect: Effect } | null {
  if (property === "font") return effectOf("font-size", sizeIn(value));
  const hides = Object.hasOwn(hiding, property) ? hiding[property] : undefined;
  if (!hides || (property === "display" && !displays.test(value))) return null;
  if (hides(value)) return { property, effect: "hides" };
  return { property, effect: inherited[property]?.(value) ? "inherits" : "shows" };
}

/**
 * Checks whether an element and all its contents are invisible. Content that an animation or transition reveals is
 * visible. `visibility` and `font-size` are not considered here, because descendants may override them.
 */
export function isHidden(look: Look): boolean {
  const hides = (...properties: string[]) => properties.some((property) => look.get(property) === "hides");
  const moves = ["animation", "animation-name", "transition", "transition-property"].some(
    (property) => look.get(property) === "shows",
  );
  if (hides("display", "content-visibility", "clip-path", "margin-left", "text-indent")) return true;
  if (hides("position") && hides("clip", "left", "top")) return true;
  if (moves) return false;
  const isFlat = hides("overflow") && hides("height", "max-height") && look.get("min-height") !== "shows";
  return isFlat || hides("opacity", "transform");
}

/** Checks whether all text in an element is struck out. */
export const isStruckOut = (look: Look): boolean =>
  look.get("text-decoration") === "hides" || look.get("text-decoration-line") === "hides";
