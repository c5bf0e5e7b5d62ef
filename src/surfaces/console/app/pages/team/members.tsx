import { Badge, Group, Select, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { useFormat } from "../../shared/format.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { type Role, roleChoices, roleIn, useMayChange } from "./roles.ts";
import { useWords } from "./words.ts";

type Member = Schemas["TeamMember"];
const nameOf = ({ full_name, email }: Member): string => full_name ?? email;

/** Returns the mutations that change a role and remove a person. */
function useChanges() {
  const say = useWords();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["team"] });
  const role = useMutation({
    mutationFn: ({ id: user_id, role }: { readonly id: string; readonly role: Role }) =>
      bodyOf(api.PATCH("/v1/team/members/{user_id}", { params: { path: { user_id } }, body: { role } })),
    onSuccess: () => toast.done(say("role_changed")),
    onSettled: refresh,
  });
  const removal = useMutation({
    mutationFn: ({ id: user_id }: Member) =>
      bodyOf(api.DELETE("/v1/team/members/{user_id}", { params: { path: { user_id } } })),
    onSuccess: ({ api_keys, connections }) => toast.done(say("removed", { keys: api_keys, connections })),
    onSettled: refresh,
  });
  return { role, removal };
}

function Person({ member }: { readonly member: Member }) {
  const say = useWords();
  return (
    <Stack gap={0}>
      <Group gap={6}>
        <Text fw={500}>{nameOf(member)}</Text>
        {member.current && <Badge variant="light">{say("you")}</Badge>}
      </Group>
      {member.full_name !== null && (
        <Text size="sm" c="dimmed">
          {member.email}
        </Text>
      )}
    </Stack>
  );
}

function useColumns({ role, removal }: ReturnType<typeof useChanges>): Column<Member>[] {
  const say = useWords();
  const { date, relative } = useFormat();
  const mayChange = useMayChange();
  const columns: Column<Member>[] = [
    { name: say("name"), cell: (member) => <Person member={member} /> },
    {
      name: say("role"),
      holds: "field",
      cell: (member) =>
        mayChange ? (
          <Select
            aria-label={say("role_of", { name: nameOf(member) })}
            size="xs"
            w={150}
            allowDeselect={false}
            disabled={role.isPending}
            data={roleChoices(say)}
            value={member.role}
            onChange={(value) => role.mutate({ id: member.id, role: roleIn(value) ?? member.role })}
          />
        ) : (
          say(member.role)
        ),
    },
    { name: say("joined"), cell: ({ joined_at }) => <span className="nowrap">{date(joined_at)}</span> },
    {
      name: say("last_sign_in"),
      cell: ({ last_sign_in_at }) => (last_sign_in_at === null ? say("never") : relative(last_sign_in_at)),
    },
  ];
  if (!mayChange) return columns;
  const remove: Column<Member> = {
    name: say("remove"),
    holds: "button",
    cell: (member) =>
      !member.current && (
        <Confirm
          compact
          action={say("remove")}
          label={say("remove_named", { name: nameOf(member) })}
          title={say("sure_remove", { name: nameOf(member) })}
          text={say("sure_remove_text")}
          confirm={() => removal.mutate(member)}
        />
      ),
  };
  return [...columns, remove];
}

/** The firm's people. */
export function Members() {
  const say = useWords();
  const changes = useChanges();
  const columns = useColumns(changes);
  const query = useQuery({ queryKey: ["team", "members"], queryFn: () => bodyOf(api.GET("/v1/team/members")) });
  const error = changes.role.error ?? changes.removal.error;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("people")}
      </Title>
      {error !== null && <Failed error={error} />}
      <Loaded query={query}>
        {({ items }) => <Rows label={say("people")} rows={items} keyOf={({ id }) => id} columns={columns} />}
      </Loaded>
    </Stack>
  );
}
