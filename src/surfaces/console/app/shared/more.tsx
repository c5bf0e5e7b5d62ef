import { Button, Group } from "@mantine/core";
import { useCommonWords } from "./common-words.ts";

interface MoreProps {
  /** A query that reads page by page. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Reads the next page of a list; nothing where there is none. */
export function More({ query }: MoreProps) {
  const say = useCommonWords();
  if (!query.hasNextPage) return null;
  return (
    <Group justify="center">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {say("more")}
      </Button>
    </Group>
  );
}
