import { SimpleGrid, Stack } from "@mantine/core";
import { Page } from "../../shared/page.tsx";
import { Password } from "./password.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import { useWords } from "./words.ts";

/** The account page. */
export default function Account() {
  const say = useWords();
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xl">
          <Profile />
          <Password />
        </SimpleGrid>
        <Sessions />
      </Stack>
    </Page>
  );
}
