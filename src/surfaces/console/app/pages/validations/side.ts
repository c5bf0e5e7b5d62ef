import { createContext, useContext } from "react";

/** Which of two studies a part belongs to, in words; empty where one stands alone. */
export const Side = createContext("");

/** Names a part's table so that no other on the page has the same name. */
export function useLabel(): (title: string) => string {
  const side = useContext(Side);
  return (title) => (side === "" ? title : `${side}: ${title}`);
}
