import { Button, Group, Select, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { NumberField } from "../../shared/number-field.tsx";
import { Rows } from "../../shared/rows.tsx";
import { Failed } from "../../shared/states.tsx";
import { typedNumber } from "../../shared/typed-number.ts";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

interface Limit {
  readonly name: string;
  /** Null removes the limit. */
  readonly monthly_runs: number | null;
}

function useLimit(firm_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, monthly_runs }: Limit) => {
      const params = { path: { firm_id, name } };
      return bodyOf(
        monthly_runs === null
          ? api.DELETE("/v1/operator/firms/{firm_id}/quotas/{name}", { params })
          : api.PUT("/v1/operator/firms/{firm_id}/quotas/{name}", { params, body: { monthly_runs } }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["operator"] }),
  });
}

interface FormProps {
  readonly limitable: readonly string[];
  readonly isPending: boolean;
  set(limit: Limit): void;
}

function LimitForm({ limitable, isPending, set }: FormProps) {
  const say = useWords();
  const [name, setName] = useState<string | null>(null);
  const { language } = useLanguage();
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const monthly_runs = typedNumber(typed, language);
    if (name !== null && monthly_runs !== undefined) set({ name, monthly_runs });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <Select
          label={say("limited")}
          flex="1 1 220px"
          required
          searchable
          data={[...limitable]}
          value={name}
          onChange={setName}
        />
        <NumberField label={say("limit")} w={140} required min={0} typed={typed} type={setTyped} />
        <Button type="submit" variant="default" loading={isPending}>
          {say("set_limit")}
        </Button>
      </Group>
    </form>
  );
}

/** A firm's limits per calendar month. */
export function Quotas({ firm }: { readonly firm: Schemas["OperatorFirmDetail"] }) {
  const say = useWords();
  const { number } = useFormat();
  const change = useLimit(firm.id);
  const lift = (name: string): void => change.mutate({ name, monthly_runs: null });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("quotas")}
      </Title>
      {change.isError && <Failed error={change.error} />}
      {firm.quotas.length === 0 ? (
        <Text c="dimmed">{say("quotas_none")}</Text>
      ) : (
        <Rows
          label={say("quotas")}
          rows={firm.quotas}
          keyOf={({ name }) => name}
          columns={[
            { name: say("limited"), cell: ({ name, counted_for }) => `${name}, ${say(`counted_${counted_for}`)}` },
            {
              name: say("limit"),
              isFigure: true,
              cell: ({ monthly_runs }) => `${number(monthly_runs)} ${say("per_month")}`,
            },
            {
              name: say("lift"),
              holds: "button",
              cell: ({ name }) => (
                <Button size="compact-sm" variant="default" onClick={() => lift(name)}>
                  {say("lift")}
                </Button>
              ),
            },
          ]}
        />
      )}
      <LimitForm limitable={firm.limitable} isPending={change.isPending} set={change.mutate} />
    </Stack>
  );
}
