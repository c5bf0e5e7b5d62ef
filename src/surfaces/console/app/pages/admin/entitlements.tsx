import { Stack, Switch, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Failed } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

interface Change {
  readonly name: string;
  readonly isHeld: boolean;
}

/** A firm's entitlements. Granting or withdrawing one takes effect with the firm's next request. */
export function Entitlements({ firm }: { readonly firm: Schemas["OperatorFirmDetail"] }) {
  const say = useWords();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ name, isHeld }: Change) => {
      const params = { path: { firm_id: firm.id, name } };
      return bodyOf(
        isHeld
          ? api.PUT("/v1/operator/firms/{firm_id}/entitlements/{name}", { params })
          : api.DELETE("/v1/operator/firms/{firm_id}/entitlements/{name}", { params }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["operator"] }),
  });
  const names = [...new Set([...firm.grantable_entitlements, ...firm.entitlements])];
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("entitlements")}
      </Title>
      {change.isError && <Failed error={change.error} />}
      {names.map((name) => (
        <Switch
          key={name}
          label={name}
          checked={firm.entitlements.includes(name)}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ name, isHeld: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}
