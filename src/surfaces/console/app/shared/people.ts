import { useQuery } from "@tanstack/react-query";
import { api, bodyOf } from "./api.ts";

/**
 * Returns a function that names a person of the firm: an ellipsis while names are loading, undefined for people who
 * have left.
 */
export function usePersonName(): (id: string) => string | undefined {
  const { data } = useQuery({ queryKey: ["team", "members"], queryFn: () => bodyOf(api.GET("/v1/team/members")) });
  const names = new Map(data?.items.map(({ id, full_name, email }) => [id, full_name ?? email]));
  return (id) => (data ? names.get(id) : "…");
}
