import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";

/** Filters of a list of runs. Days are formatted as `2026-11-22`. */
export interface RunFilter {
  readonly status?: Schemas["Run"]["status"];
  readonly capability?: string;
  readonly use_case?: string;
  readonly workspace_id?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Whether the run will progress without anyone's action. */
export const isMoving = ({ status }: Pick<Schemas["Run"], "status">): boolean =>
  status === "queued" || status === "running";

/** Returns the slug of the capability or use case that was run. */
export const slugOf = ({ capability, use_case }: Pick<Schemas["Run"], "capability" | "use_case">): string =>
  use_case ?? capability ?? "";

/** The query for runs, newest first, page by page. */
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

/** Returns runs, newest first, page by page. */
export const useRuns = (filter: RunFilter) => useInfiniteQuery(runsQuery(filter));

/** Returns one run, and refetches it every second while it is in progress. */
export const useRun = (id: string) =>
  useQuery({
    queryKey: ["run", id],
    queryFn: () => bodyOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } } })),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1000 : false),
  });

/** The query for the names of all offers, by slug. */
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
/** Returns the names of all offers by slug, for lists that have only slugs. */
export const useCatalogueNames = () => useQuery(catalogueNames);

/** Returns a function that maps a slug to its name, or to itself if the catalogue has none. */
export function useNameOf(): (slug: string) => string {
  const { data } = useCatalogueNames();
  const names = new Map(
    [...(data?.capabilities ?? []), ...(data?.useCases ?? [])].map(({ slug, name }) => [slug, name]),
  );
  return (slug) => names.get(slug) ?? slug;
}

/**
 * Returns the titles of use cases' steps by key, for lists that have only keys. A key whose title differs between use
 * cases is left out. The use cases are fetched only if `isWanted`.
 */
export function useStepTitles(isWanted: boolean): ReadonlyMap<string, string> {
  const { data } = useCatalogueNames();
  const { data: titles } = useQuery({
    queryKey: ["step-titles"],
    enabled: isWanted && data !== undefined,
    staleTime: 300_000,
    async queryFn() {
      const slugs = data?.useCases.map(({ slug }) => slug) ?? [];
      const detail = (slug: string) => bodyOf(api.GET("/v1/use-cases/{slug}", { params: { path: { slug } } }));
      const steps = (await Promise.all(slugs.map(detail))).flatMap((useCase) => useCase.steps);
      const byKey = [...Map.groupBy(steps, ({ key }) => key)];
      return new Map(
        byKey.flatMap(([key, [first, ...more]]) =>
          first && more.every(({ title }) => title === first.title) ? [[key, first.title] as const] : [],
        ),
      );
    },
  });
  return titles ?? new Map();
}
