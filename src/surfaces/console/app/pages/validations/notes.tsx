import { Alert, List } from "@mantine/core";
import { keyed } from "../../shared/keyed.ts";
import { useWords } from "./words.ts";

/** What was not used of the words, or was understood in one of several ways; nothing where there is nothing to say. */
export function Notes({ notes }: { readonly notes: readonly string[] }) {
  const say = useWords();
  if (notes.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title={say("notes")} w="100%">
      <List size="sm" spacing={4}>
        {keyed(notes).map(({ key, item }) => (
          <List.Item key={key}>{item}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
