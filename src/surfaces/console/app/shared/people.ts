import { useQuery } from "@tanstack/react-query";
import { api, bodyOf } from "./api.ts";

/** Says a person of the firm by name: an ellipsis while the names are being read, undefined for somebody who has left. */
export function usePersonName(): (id: string) => string | undefined {
  const { data } = useQuery({ queryKey: ["team", "members"], queryFn: () => bodyOf(api.GET("/v1/team/members")) });
  const names = new Map(data?.items.map(({ id, full_name, email }) => [id, full_name ?? email]));
  return (id) => (data ? names.get(id) : "…");
}
