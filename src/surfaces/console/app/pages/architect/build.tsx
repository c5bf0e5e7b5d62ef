import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, bodyOf } from "../../shared/api.ts";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { Failed, Loaded } from "../../shared/states.tsx";
import { BuilderSpec } from "./builder-spec.tsx";
import { useKeptSolutions } from "./kept.ts";
import { resumed } from "./solution.ts";
import { useWords } from "./words.ts";

/** What a builder needs, for a saved solution. */
function Saved({ token }: { readonly token: string }) {
  return (
    <Loaded query={useQuery(resumed(token))}>
      {({ expires_at }) => <BuilderSpec token={token} expires_at={expires_at} />}
    </Loaded>
  );
}

/** The form to save the solution, with consent. */
function Saving({ solution_id }: { readonly solution_id: string }) {
  const say = useWords();
  const me = useMe();
  const go = useNavigate();
  const { add } = useKeptSolutions();
  const [email, setEmail] = useState(me.user.email ?? "");
  const [consent, setConsent] = useState(false);
  const unlocking = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/solution-architect/unlock", { body: { solution_id, email, consent } })),
    async onSuccess({ token }) {
      add({ solution_id, token });
      await go({ search: location.search, hash: token });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    unlocking.mutate();
  };
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

/**
 * The Build step: saves the solution, then shows what a builder needs. The token in the address opens the saved
 * solution.
 */
export function Build({ solution_id }: { readonly solution_id: string }) {
  const token = useLocation().hash.slice(1);
  return token === "" ? <Saving solution_id={solution_id} /> : <Saved token={token} />;
}
