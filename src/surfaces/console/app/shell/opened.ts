import { useEffect, useState } from "react";

/**
 * Returns the state of a menu that opens as soon as it is loaded. It starts closed, because only then does the menu
 * return the focus to its button.
 */
export function useOpened() {
  const [opened, onChange] = useState(false);
  useEffect(() => onChange(true), []);
  return { opened, onChange };
}
