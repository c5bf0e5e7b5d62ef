import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, done } from "../../shared/api.ts";
import { Keys } from "../../shared/keys.tsx";
import { useWords } from "./words.ts";

/** All active keys of the firm, for its owners. */
export function TeamKeys() {
  const say = useWords();
  const query = useQuery({
    queryKey: ["team", "keys"],
    queryFn: async () => (await bodyOf(api.GET("/v1/team/api-keys"))).items,
  });
  return (
    <Keys
      title={say("keys")}
      text={say("keys_text")}
      none={{ title: say("keys_none") }}
      query={query}
      columns={[{ name: say("whose"), cell: ({ user }) => user.full_name ?? user.email }]}
      revoke={({ id: key_id }) => done(api.DELETE("/v1/team/api-keys/{key_id}", { params: { path: { key_id } } }))}
      changes={["team"]}
    />
  );
}
