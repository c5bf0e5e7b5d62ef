import { createContext, useContext } from "react";

/** Which of two compared studies a part belongs to; empty if there is only one. */
export const Side = createContext("");

/** Returns a function that labels a table so that its name is unique on the page. */
export function useLabel(): (title: string) => string {
  const side = useContext(Side);
  return (title) => (side === "" ? title : `${side}: ${title}`);
}
