import { Badge, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { Loaded, useErrorText } from "../../shared/states.tsx";
import { importsKey, type Unsent } from "./sending.ts";
import { useWords } from "./words.ts";

type Import = Schemas["DocumentImport"];

const colors = {
  queued: "gray",
  sending: "blue",
  not_sent: "red",
  waiting: "gray",
  importing: "blue",
  imported: "green",
  replaced: "green",
  unchanged: "gray",
  refused: "red",
  failed: "red",
} as const;

const reasons = [
  "empty",
  "encrypted",
  "broken",
  "scanned",
  "unreadable",
  "too_large",
  "unsupported",
  "encoding",
  "missing",
  "failed",
] as const;

/** Returns a function that explains a refusal in the reader's language; the server names the wrong facts. */
function useReasonText(): (code: string, message: string) => string {
  const say = useWords();
  return (code, message) => {
    const known = reasons.find((reason) => reason === code);
    if (known) return say(`reason_${known}`);
    return code === "facts" ? say("reason_facts", { message }) : message;
  };
}

interface LineProps {
  readonly name: string;
  readonly status: keyof typeof colors;
  readonly children?: ReactNode;
}

/** A file with its status and details. */
function Line({ name, status, children }: LineProps) {
  const say = useWords();
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text fw={500} className="breaks">
            {name}
          </Text>
          <Badge variant="light" radius="sm" color={colors[status]}>
            {say(`status_${status}`)}
          </Badge>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

function UnsentLine({ file, status, share, reason, error }: Unsent) {
  const say = useWords();
  const { bytes, percent } = useFormat();
  const reasonText = useReasonText();
  const errorText = useErrorText();
  return (
    <Line name={file.name} status={status}>
      {status === "sending" && (
        <>
          {/* After the last byte, the server takes a moment to respond. */}
          <Progress value={share * 100} animated={share === 1} aria-label={say("status_sending")} />
          <Text size="sm">{say("sent_of", { share: percent(share), size: bytes(file.size) })}</Text>
        </>
      )}
      {reason !== undefined && <Text size="sm">{reasonText(reason, "")}</Text>}
      {error !== undefined && <Text size="sm">{errorText(error)}</Text>}
    </Line>
  );
}

function ImportLine({ file, status, progress, reason, notes, pages, chunks, title }: Import) {
  const say = useWords();
  const { number } = useFormat();
  const reasonText = useReasonText();
  const isHeld = status === "imported" || status === "replaced" || status === "unchanged";
  return (
    <Line name={file} status={status}>
      {status === "importing" && (
        <>
          <Progress
            value={progress ? (100 * progress.page) / progress.pages : 100}
            animated={progress === null}
            aria-label={say("status_importing")}
          />
          {progress && <Text size="sm">{say("page_of", { page: progress.page, pages: progress.pages })}</Text>}
        </>
      )}
      {reason && <Text size="sm">{reasonText(reason.code, reason.message)}</Text>}
      {isHeld && (
        <Text size="sm" c="dimmed" className="breaks">
          {[
            title,
            pages === null ? undefined : say("page_count", { count: pages }),
            say("passage_count", { count: chunks, shown: number(chunks) }),
          ]
            .filter((part) => part)
            .join(" · ")}
        </Text>
      )}
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed" lang="en">
          {note}
        </Text>
      ))}
    </Line>
  );
}

/** Returns the newest imports, and refetches them while one is unfinished. */
function useImports() {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: importsKey,
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/operator/document-imports", {
          params: { query: { limit: 10, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ ended_at }) => ended_at === null)) ? 700 : false,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const ended = items?.filter(({ ended_at }) => ended_at !== null).map(({ id }) => id);
  const known = ended?.join(" ") ?? "";
  // A finished import changes the stored documents.
  useEffect(() => {
    if (known === "") return;
    void queries.invalidateQueries({ queryKey: ["insurance"] });
    void queries.invalidateQueries({ queryKey: ["operator", "documents"] });
  }, [known, queries]);
  return query;
}

/** The imports and their status, unfinished ones first. */
export function Imports({ unsent }: { readonly unsent: readonly Unsent[] }) {
  const say = useWords();
  const query = useImports();
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        const running = unsent.filter(({ status }) => status !== "not_sent").length;
        const left = running + items.filter(({ ended_at }) => ended_at === null).length;
        return (
          <Stack gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {items.length + unsent.length === 0
                ? ""
                : say(left > 0 ? "imports_left" : "imports_over", { count: left })}
            </Text>
            <Stack gap="xs" component="ul" className="plain-list" aria-label={say("imports")}>
              {unsent.map((one) => (
                <UnsentLine {...one} key={one.key} />
              ))}
              {items.map((one) => (
                <ImportLine {...one} key={one.id} />
              ))}
            </Stack>
            <More query={query} />
          </Stack>
        );
      }}
    </Loaded>
  );
}
