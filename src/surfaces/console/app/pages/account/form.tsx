import { Button, Group, Stack, Title } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Failed } from "../../shared/states.tsx";

interface FormProps {
  readonly title: string;
  /** The button's label. */
  readonly action: string;
  readonly variant?: "filled" | "default";
  /** The mutation that submits the form. */
  readonly change: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly children: ReactNode;
}

/** A form on the account page: its fields, its error and its button. */
export function Form({ title, action, variant = "filled", change, children }: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
        {change.error && <Failed error={change.error} />}
        <Group>
          <Button type="submit" variant={variant} loading={change.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
