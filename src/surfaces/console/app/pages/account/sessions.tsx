import { Badge, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { deviceOf } from "../../../../../accounts/account/device.ts";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { useFormat } from "../../shared/format.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

type Session = Schemas["SessionSummary"];

function useColumns(end: (session: Session) => void): Column<Session>[] {
  const say = useWords();
  const { dateTime, relative } = useFormat();
  return [
    {
      name: say("device"),
      cell: ({ user_agent }) => (
        <Text size="sm" maw={340} truncate title={user_agent ?? ""}>
          {user_agent === null ? say("unknown") : deviceOf(user_agent)}
        </Text>
      ),
    },
    { name: say("provider"), cell: ({ provider }) => (provider === "email" ? say("by_email") : provider) },
    { name: say("since"), cell: ({ created_at }) => <span className="nowrap">{dateTime(created_at)}</span> },
    { name: say("last_used"), cell: ({ last_used_at }) => <span className="nowrap">{relative(last_used_at)}</span> },
    {
      name: say("end"),
      holds: "button",
      cell: (session) =>
        session.current ? (
          <Badge variant="light">{say("this")}</Badge>
        ) : (
          <Confirm
            compact
            action={say("end")}
            label={say("end_named", {
              name: session.user_agent === null ? say("unknown") : deviceOf(session.user_agent),
            })}
            title={say("sure_end")}
            text={say("sure_end_text")}
            confirm={() => end(session)}
          />
        ),
    },
  ];
}

/** The person's sessions, each with a button to end it. */
export function Sessions() {
  const say = useWords();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ["sessions"], queryFn: () => bodyOf(api.GET("/auth/v1/sessions")) });
  const ending = useMutation({
    mutationFn: ({ id: session_id }: Session) =>
      done(api.DELETE("/auth/v1/sessions/{session_id}", { params: { path: { session_id } } })),
    onSuccess() {
      toast.done(say("ended"));
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  const columns = useColumns(ending.mutate);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("sessions")}
      </Title>
      {ending.isError && <Failed error={ending.error} />}
      <Loaded query={query}>
        {({ items }) => <Rows label={say("sessions")} rows={items} keyOf={({ id }) => id} columns={columns} />}
      </Loaded>
    </Stack>
  );
}
