/** Levels of objects and lists in what a caller sends. Nobody needs more, and whatever walks a value may recurse. */
export const deepestNesting = 100;

/** Whether a value that JSON.parse made is nested deeper than that. */
export function isNestedTooDeep(value: unknown, levels = deepestNesting): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedTooDeep(inner, levels - 1));
}
