import { Alert, Anchor, Button, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { installedAt } from "../shared/browser.ts";
import { type Me, signIn } from "../shared/session.ts";
import { type SignInReason, signedInAgain } from "../shared/session-gate.ts";
import { useErrorText } from "../shared/states.tsx";
import { useShellWords } from "./words.ts";

function SignInForm({ reason }: { readonly reason: SignInReason }) {
  const say = useShellWords();
  const textOf = useErrorText();
  const known = useQueryClient().getQueryData<Me>(["me"])?.user.email ?? "";
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess() {
      // Another person must not see this page, nor send it in their own name.
      if (known !== "" && email.trim().toLowerCase() !== known.toLowerCase()) return location.reload();
      signedInAgain();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text c="dimmed">{say(`${reason}_text`, { email: known })}</Text>
        {attempt.isError && (
          <Alert color="red" role="alert">
            {textOf(attempt.error)}
          </Alert>
        )}
        <TextInput
          label={say("email")}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={say("password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={attempt.isPending}>
          {say("sign_in")}
        </Button>
        <Anchor href={`${installedAt}/sign-in`} target="_blank" size="sm">
          {say("other_way")}
        </Anchor>
        <Button variant="subtle" onClick={signedInAgain}>
          {say("signed_in_there")}
        </Button>
        {reason === "another" && (
          <Button variant="default" onClick={() => location.reload()}>
            {say("load_again")}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** The sign-in dialog over the page. The page keeps its input, and its requests wait. */
export default function SignInDialog({ reason }: { readonly reason: SignInReason }) {
  const say = useShellWords();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={say(reason)}
    >
      <SignInForm reason={reason} />
    </Modal>
  );
}
