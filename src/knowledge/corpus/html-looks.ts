/** What a declaration of CSS does to the text that it is for. `inherits`: as the element around it. */
export type Effect = "hides" | "shows" | "inherits";

/** What an element is declared to be, by property: only what may hide its text, or leave doubt that it is hidden. */
export type Look = ReadonlyMap<string, Effect>;

type Test = (value: string) => boolean;
const is =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value);

/** The most of each unit that nobody can read or see. */
const unreadable: Readonly<Record<string, number>> = { "": 0, px: 1, pt: 1, em: 0.05, rem: 0.05, "%": 5 };
/** How far to the left or above text stands that no scrolling reaches. */
const outOfReach: Readonly<Record<string, number>> = { px: -999, pt: -749, em: -62, rem: -62, vw: -100, vh: -100 };

/** A number and its unit; that of `auto` and the like is none. */
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

/** The values of each property that hide text, alone or together with another one (`isHidden`). */
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

/** A browser ignores another value, and what was declared before it goes on counting. */
const displays =
  /^(?:none|contents|block|inline|flow|flex|grid|table|list-item|ruby|run-in|-|inherit|initial|unset|revert|var\()/;

/** The size of letters that `font` sets. */
function sizeIn(font: string): string {
  const size = font.split(" ").find((part) => /^(?:0(?:\/|$)|[\d.]+(?:[a-z]+|%))/.test(part));
  return size?.replace(/\/.*/, "") ?? "medium";
}

/** The property that a declaration is about, and its effect; null where it says nothing of hidden text. */
export function effectOf(property: string, value: string): { property: string; effect: Effect } | null {
  if (property === "font") return effectOf("font-size", sizeIn(value));
  const hides = Object.hasOwn(hiding, property) ? hiding[property] : undefined;
  if (!hides || (property === "display" && !displays.test(value))) return null;
  if (hides(value)) return { property, effect: "hides" };
  return { property, effect: inherited[property]?.(value) ? "inherits" : "shows" };
}

/**
 * Whether an element and all that is in it can't be seen. What is faded in or opened by a transition is seen sooner or
 * later. `visibility` and `font-size` are another matter: what is inside may take them back.
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

/** Whether all text in an element is struck out. */
export const isStruckOut = (look: Look): boolean =>
  look.get("text-decoration") === "hides" || look.get("text-decoration-line") === "hides";
