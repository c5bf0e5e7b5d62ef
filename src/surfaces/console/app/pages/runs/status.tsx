import { Badge } from "@mantine/core";
import type { Schemas } from "../../shared/api.ts";
import { useWords } from "./words.ts";

type Status = Schemas["Run"]["status"] | Schemas["Step"]["status"];

const colors: Readonly<Record<Status, string>> = {
  queued: "gray",
  pending: "gray",
  running: "blue",
  awaiting_approval: "orange",
  succeeded: "green",
  failed: "red",
  refused: "red",
  withheld: "red",
  skipped: "gray",
};

/** The status of a run or step, as text with a matching colour. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const say = useWords();
  return (
    <Badge variant="light" color={colors[status]} radius="sm" tt="none" fw={600} miw="max-content">
      {say(`status_${status}`)}
    </Badge>
  );
}
