import { Anchor, Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, bodyOf } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { Page } from "../../shared/page.tsx";
import { Rows } from "../../shared/rows.tsx";
import { Loaded } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

/** The list of all firms. */
export default function FirmsPage() {
  const say = useWords();
  const { date, number } = useFormat();
  const query = useInfiniteQuery({
    queryKey: ["operator", "firms"],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/operator/firms", { params: { query: { limit: 50, ...(pageParam && { cursor: pageParam }) } } }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Page title={say("firms")} lead={say("firms_lead")}>
      <Stack>
        <Loaded query={query}>
          {({ pages }) => (
            <Rows
              label={say("firms")}
              rows={pages.flatMap(({ items }) => items)}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: say("firm"),
                  cell: ({ id, name }) => (
                    <Anchor component={Link} to={`/admin/firms/${id}`} size="md">
                      {name}
                    </Anchor>
                  ),
                },
                { name: say("available"), isFigure: true, cell: ({ credits }) => number(credits.available) },
                { name: say("reserved"), isFigure: true, cell: ({ credits }) => number(credits.reserved) },
                { name: say("since"), cell: ({ created_at }) => <span className="nowrap">{date(created_at)}</span> },
              ]}
            />
          )}
        </Loaded>
        <More query={query} />
      </Stack>
    </Page>
  );
}
