import { Badge, Group, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { Keys } from "../../shared/keys.tsx";
import type { Column } from "../../shared/rows.tsx";
import { useMe } from "../../shared/session.ts";
import { useWords } from "./words.ts";

type Key = Schemas["ApiKey"];

const stateOf = ({ revoked_at, expires_at }: Key, left: (time: string) => number) => {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && left(expires_at) <= 0 ? "expired" : "active";
};

function State({ of }: { readonly of: Key }) {
  const say = useWords();
  const { date, left } = useFormat();
  const state = stateOf(of, left);
  return (
    <Group gap={6} wrap="nowrap">
      <Badge variant="light" color={state === "active" ? "green" : "gray"}>
        {say(state)}
      </Badge>
      {state === "active" && of.expires_at !== null && (
        <Text size="sm" c="dimmed" className="nowrap">
          {say("until", { date: date(of.expires_at) })}
        </Text>
      )}
    </Group>
  );
}

function useColumns(): Column<Key>[] {
  const say = useWords();
  const { workspaces } = useMe();
  return [
    {
      name: say("workspace"),
      cell: ({ workspace_id }) => workspaces.find(({ id }) => id === workspace_id)?.name ?? "–",
    },
    {
      name: say("scopes"),
      cell: ({ scopes }) => (
        <span title={scopes.join("\n")} className="nowrap">
          {say("scope_count", { count: scopes.length })}
        </span>
      ),
    },
    { name: say("state"), cell: (key) => <State of={key} /> },
  ];
}

/** The person's own keys. Expired and revoked ones are hidden by default. `revoked` is called after a revocation. */
export function OwnKeys({ revoked }: { readonly revoked: (id: string) => void }) {
  const say = useWords();
  const { left } = useFormat();
  const [isAll, setAll] = useState(false);
  const query = useQuery({ queryKey: ["keys"], queryFn: () => bodyOf(api.GET("/v1/developer/api-keys")) });
  const isActive = (key: Key): boolean => stateOf(key, left) === "active";
  return (
    <Keys
      title={say("keys")}
      choice={
        <Switch label={say("show_ended")} checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      }
      none={{ title: say("keys_none"), text: say("keys_none_text") }}
      query={query}
      shows={(key) => isAll || isActive(key)}
      columns={useColumns()}
      mayRevoke={isActive}
      revoke={async ({ id: key_id }) => {
        await done(api.DELETE("/v1/developer/api-keys/{key_id}", { params: { path: { key_id } } }));
        revoked(key_id);
      }}
      changes={["keys"]}
    />
  );
}
