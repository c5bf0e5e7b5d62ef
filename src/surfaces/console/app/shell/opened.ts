import { useEffect, useState } from "react";

/** For a menu that was fetched to be opened. Only one that was closed before gives the focus back to its button. */
export function useOpened() {
  const [opened, onChange] = useState(false);
  useEffect(() => onChange(true), []);
  return { opened, onChange };
}
