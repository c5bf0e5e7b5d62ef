import { Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, bodyOf } from "../../shared/api.ts";
import { daysAgo } from "../../shared/browser.ts";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Loaded } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

/** Runs and charges of the last days (UTC), by key, and those made without a key. */
export function KeyUsage({ days }: { readonly days: number }) {
  const say = useWords();
  const { number } = useFormat();
  const query = useQuery({
    queryKey: ["usage", "keys", days],
    queryFn: () =>
      bodyOf(api.GET("/v1/usage/days", { params: { query: { from: daysAgo(days - 1), to: daysAgo(0) } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ by_key }) =>
        by_key.length > 0 && (
          <Stack gap="xs">
            <Title order={2} size="h4">
              {say("by_key")}
            </Title>
            <Rows
              label={say("by_key")}
              rows={by_key}
              keyOf={({ key_id }) => key_id ?? "people"}
              columns={[
                { name: say("key"), cell: ({ key_id, name }) => name ?? say(key_id === null ? "people" : "gone") },
                { name: say("runs"), isFigure: true, cell: ({ runs }) => number(runs) },
                { name: say("succeeded"), isFigure: true, cell: ({ succeeded }) => number(succeeded) },
                { name: say("credits"), isFigure: true, cell: ({ credits }) => number(credits) },
              ]}
            />
          </Stack>
        )
      }
    </Loaded>
  );
}
