import { Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Code } from "../../shared/code.tsx";
import { useCommonWords } from "../../shared/common-words.ts";
import { Dialog } from "../../shared/dialog.tsx";
import { Failed } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { type Role, roleChoices, roleIn } from "./roles.ts";
import { useWords } from "./words.ts";

/** The link of an invitation that could not be sent by mail. */
export function Link({ link }: { readonly link: string }) {
  const say = useWords();
  return (
    <Alert color="green" variant="light" title={say("link")} role="status">
      <Stack gap="sm">
        <Text size="sm">{say("link_text")}</Text>
        <Code text={link} label={say("link")} />
      </Stack>
    </Alert>
  );
}

interface InviteProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Called with the link if the inviter has to pass it on. */
  made(link: string): void;
}

/** The dialog to invite a person. */
export function Invite({ isOpen, close, made }: InviteProps) {
  const say = useWords();
  const common = useCommonWords();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invitation = useMutation({
    mutationFn: (body: Schemas["TeamInvitationRequest"]) => bodyOf(api.POST("/v1/team/invitations", { body })),
    onSuccess({ link, email: address }) {
      setEmail("");
      close();
      if (link === null) toast.done(say("mailed", { email: address }));
      else made(link);
      return queries.invalidateQueries({ queryKey: ["team"] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invitation.mutate({ email: email.trim(), role });
  };
  return (
    <Dialog isOpen={isOpen} close={close} title={say("invite")}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={say("email")}
            type="email"
            required
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label={say("role")}
            description={say(`may_${role}`)}
            allowDeselect={false}
            data={roleChoices(say)}
            value={role}
            onChange={(value) => setRole(roleIn(value) ?? role)}
          />
          {invitation.isError && <Failed error={invitation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common("cancel")}
            </Button>
            <Button type="submit" loading={invitation.isPending}>
              {say("invite")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
