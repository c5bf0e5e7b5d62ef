import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, bodyOf } from "../../shared/api.ts";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { Failed } from "../../shared/states.tsx";
import { BuilderSpec } from "./builder-spec.tsx";
import { useWords } from "./words.ts";

/** Saves the solution with consent, and shows what a builder needs. */
export function Build({ solution_id }: { readonly solution_id: string }) {
  const say = useWords();
  const me = useMe();
  const [email, setEmail] = useState(me.user.email ?? "");
  const [consent, setConsent] = useState(false);
  const unlocking = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/solution-architect/unlock", { body: { solution_id, email, consent } })),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    unlocking.mutate();
  };
  if (unlocking.data) return <BuilderSpec {...unlocking.data} />;
  return (
    <Section title={say("step_build")}>
      <form onSubmit={submit}>
        <Stack>
          <Alert color="gray">{say("unlock_text")}</Alert>
          <TextInput
            type="email"
            label={say("email")}
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Checkbox
            label={say("consent")}
            checked={consent}
            onChange={(event) => setConsent(event.currentTarget.checked)}
          />
          {unlocking.isError && <Failed error={unlocking.error} />}
          <Group justify="flex-end">
            <Button type="submit" disabled={!consent} loading={unlocking.isPending}>
              {say("unlock")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
