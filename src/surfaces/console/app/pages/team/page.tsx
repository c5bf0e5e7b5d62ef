import { Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Page } from "../../shared/page.tsx";
import { Invitations } from "./invitations.tsx";
import { Invite, Link } from "./invite.tsx";
import { TeamKeys } from "./keys.tsx";
import { Members } from "./members.tsx";
import { useMayChange } from "./roles.ts";
import { useWords } from "./words.ts";

/** The team page. Everyone sees it; owners can change it. */
export default function Team() {
  const say = useWords();
  const mayChange = useMayChange();
  const [isOpen, { open, close }] = useDisclosure();
  const [link, setLink] = useState<string>();
  const invite = mayChange && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
      {say("invite")}
    </Button>
  );
  return (
    <Page title={say("title")} lead={say("lead")} actions={invite}>
      <Stack gap="xl">
        {link !== undefined && <Link link={link} />}
        <Members />
        {mayChange && (
          <>
            <Invitations />
            <TeamKeys />
          </>
        )}
      </Stack>
      <Invite isOpen={isOpen} close={close} made={setLink} />
    </Page>
  );
}
