import { Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../../shared/api.ts";
import { Page } from "../../shared/page.tsx";
import { Connections } from "./connections.tsx";
import { OwnKeys } from "./keys.tsx";
import { NewKey } from "./new-key.tsx";
import { Secret } from "./secret.tsx";
import { Snippets } from "./snippets-view.tsx";
import { useWords } from "./words.ts";

/** The page for developers: keys, a first call, connections. */
export default function Developers() {
  const say = useWords();
  const [isOpen, { open, close }] = useDisclosure();
  const [made, setMade] = useState<Schemas["CreatedApiKey"]>();
  const newKey = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {say("new_key")}
    </Button>
  );
  return (
    <Page title={say("title")} lead={say("lead")} actions={newKey}>
      <Stack gap="xl">
        {made && <Secret name={made.name} secret={made.secret} putAway={() => setMade(undefined)} />}
        <OwnKeys revoked={(id) => setMade((shown) => (shown?.id === id ? undefined : shown))} />
        <Snippets />
        <Connections />
      </Stack>
      <NewKey isOpen={isOpen} close={close} made={setMade} />
    </Page>
  );
}
