import { Stack, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

type Invitation = Schemas["TeamInvitation"];

/** The open invitations. */
export function Invitations() {
  const say = useWords();
  const { relative } = useFormat();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ["team", "invitations"],
    queryFn: () => bodyOf(api.GET("/v1/team/invitations")),
  });
  const withdrawal = useMutation({
    mutationFn: ({ id: invitation_id }: Invitation) =>
      done(api.DELETE("/v1/team/invitations/{invitation_id}", { params: { path: { invitation_id } } })),
    onSuccess() {
      toast.done(say("withdrawn"));
      return queries.invalidateQueries({ queryKey: ["team"] });
    },
  });
  return (
    <Loaded query={query} loading={null}>
      {({ items }) => {
        const open = items.filter(({ state }) => state === "open");
        if (open.length === 0) return null;
        return (
          <Stack gap="xs">
            <Title order={2} size="h4">
              {say("invitations")}
            </Title>
            {withdrawal.isError && <Failed error={withdrawal.error} />}
            <Rows
              label={say("invitations")}
              rows={open}
              keyOf={({ id }) => id}
              columns={[
                { name: say("email"), cell: ({ email }) => email },
                { name: say("role"), cell: ({ role }) => say(role) },
                { name: say("expires"), cell: ({ expires_at }) => relative(expires_at) },
                {
                  name: say("withdraw"),
                  holds: "button",
                  cell: (invitation) => (
                    <Confirm
                      compact
                      action={say("withdraw")}
                      label={say("withdraw_named", { name: invitation.email })}
                      title={say("sure_withdraw")}
                      text={say("sure_withdraw_text")}
                      confirm={() => withdrawal.mutate(invitation)}
                    />
                  ),
                },
              ]}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}
