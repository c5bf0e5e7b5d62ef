import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";

/** What a list of runs is narrowed down by. Days as `2026-11-22`. */
export interface RunFilter {
  readonly status?: Schemas["Run"]["status"];
  readonly capability?: string;
  readonly use_case?: string;
  readonly workspace_id?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A run that goes on by itself. */
export const isMoving = ({ status }: Pick<Schemas["Run"], "status">): boolean =>
  status === "queued" || status === "running";

/** What was run: a capability's or a use case's slug. */
export const slugOf = ({ capability, use_case }: Pick<Schemas["Run"], "capability" | "use_case">): string =>
  use_case ?? capability ?? "";

/** How to read runs, the newest first, page by page. */
export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ["runs", filter],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/runs", { params: { query: { ...filter, limit: 25, ...(pageParam && { cursor: pageParam }) } } }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.some(isMoving) ? 2000 : false),
  });

/** Runs, the newest first, page by page. */
export const useRuns = (filter: RunFilter) => useInfiniteQuery(runsQuery(filter));

/** One run, read again every second while it goes on. */
export const useRun = (id: string) =>
  useQuery({
    queryKey: ["run", id],
    queryFn: () => bodyOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } } })),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1000 : false),
  });

/** How to read the names by slug of all that is sold. */
export const catalogueNames = queryOptions({
  queryKey: ["catalogue-names"],
  staleTime: 300_000,
  async queryFn() {
    const [capabilities, useCases] = await Promise.all([
      bodyOf(api.GET("/v1/capabilities")),
      bodyOf(api.GET("/v1/use-cases")),
    ]);
    return { capabilities: capabilities.items, useCases: useCases.items };
  },
});
/** Names by slug of all that is sold, for lists that have slugs alone. */
export const useCatalogueNames = () => useQuery(catalogueNames);

/** Says a slug by its name; the slug itself where the catalogue has none. */
export function useNameOf(): (slug: string) => string {
  const { data } = useCatalogueNames();
  const names = new Map(
    [...(data?.capabilities ?? []), ...(data?.useCases ?? [])].map(({ slug, name }) => [slug, name]),
  );
  return (slug) => names.get(slug) ?? slug;
}
