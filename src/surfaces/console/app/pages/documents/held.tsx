import { Anchor, Stack, Text } from "@mantine/core";
import { IconFiles } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { useOwnWords } from "../../shared/own-words.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Empty, Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

type Document = Schemas["OperatorDocument"];

function useColumns(remove: (document: Document) => void): Column<Document>[] {
  const say = useWords();
  const { number } = useFormat();
  const { nameOf } = useOwnWords();
  const countryName = useCountryName();
  return [
    {
      name: say("document"),
      cell: ({ title, file, url }) => (
        <Stack gap={0} miw={180}>
          {url === null ? (
            <Text fw={500}>{title}</Text>
          ) : (
            <Anchor href={url} fw={500} inherit target="_blank" rel="noreferrer">
              {title}
            </Anchor>
          )}
          <Text size="sm" c="dimmed" className="breaks">
            {file}
          </Text>
        </Stack>
      ),
    },
    { name: say("market"), cell: ({ market }) => countryName(market) },
    { name: say("carrier"), cell: ({ carrier }) => carrier ?? "–" },
    { name: say("product_line"), cell: ({ product_line }) => nameOf(product_line ?? "–") },
    { name: say("version"), cell: ({ version }) => <span className="nowrap">{version}</span> },
    { name: say("passages"), isFigure: true, cell: ({ chunks }) => number(chunks) },
    {
      name: say("remove"),
      holds: "button",
      cell: (document) => (
        <Confirm
          compact
          action={say("remove")}
          label={say("remove_named", { name: document.title })}
          title={say("sure_remove", { name: document.title })}
          text={say("sure_remove_text")}
          confirm={() => remove(document)}
        />
      ),
    },
  ];
}

/** All documents used for answers. Operators can remove them. */
export function HeldDocuments() {
  const say = useWords();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ["operator", "documents"],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/operator/documents", {
          params: { query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const removal = useMutation({
    mutationFn: ({ id: document_id }: Document) =>
      done(api.DELETE("/v1/operator/documents/{document_id}", { params: { path: { document_id } } })),
    onSuccess() {
      toast.done(say("removed"));
      void queries.invalidateQueries({ queryKey: ["insurance"] });
      return queries.invalidateQueries({ queryKey: ["operator", "documents"] });
    },
  });
  const columns = useColumns(removal.mutate);
  return (
    <Section title={say("held")}>
      {removal.isError && <Failed error={removal.error} />}
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <Empty icon={IconFiles} title={say("none")} />;
          return <Rows label={say("held")} rows={items} keyOf={({ id }) => id} columns={columns} />;
        }}
      </Loaded>
      <More query={query} />
    </Section>
  );
}
