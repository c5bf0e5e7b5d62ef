import { Alert, List } from "@mantine/core";
import { keyed } from "../../shared/keyed.ts";
import { useWords } from "./words.ts";

/** Notes about words that were not used or were ambiguous; nothing if there are none. */
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
