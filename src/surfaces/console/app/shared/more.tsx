import { Button, Group } from "@mantine/core";
import { useCommonWords } from "./common-words.ts";

interface MoreProps {
  /** A paginated query. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** The button that loads the next page of a list; nothing if there is none. */
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
