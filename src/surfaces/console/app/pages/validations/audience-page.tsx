import { Button, Paper, Stack, Text } from "@mantine/core";
import { Link, useParams } from "react-router";
import { Back } from "../../shared/back.tsx";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { keyed } from "../../shared/keyed.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { isNowhere, Loaded, NotFound } from "../../shared/states.tsx";
import { Notes } from "./notes.tsx";
import { useAudience } from "./queries.ts";
import { useWords } from "./words.ts";

/** The page of an audience: its definition, and some of its personas. */
export default function AudiencePage() {
  const say = useWords();
  const { number } = useFormat();
  const countryName = useCountryName();
  const { scopes } = useMe();
  const { audience_id = "" } = useParams();
  const query = useAudience(audience_id);
  const { audience } = query.data ?? {};
  if (isNowhere(query.error)) return <NotFound />;
  return (
    <Page
      title={audience?.name ?? say("audience")}
      lead={audience && say("audience_lead", { market: countryName(audience.market), count: audience.size })}
      above={<Back to="/validations">{say("back")}</Back>}
      actions={
        scopes.has("validator:run") && (
          <Button component={Link} to={`/validations/new?audience=${audience_id}`}>
            {say("ask_them")}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ audience: { description }, personas, understood, not_used }) => (
          <>
            <Section title={say("who")}>
              <Text className="passage">{description}</Text>
              {understood.length > 0 && <Text>{say("understood", { words: understood.join(", ") })}</Text>}
              {not_used.length > 0 && (
                <Notes notes={[say("not_used", { words: not_used.map((words) => `"${words}"`).join(", ") })]} />
              )}
            </Section>
            <Section title={say("preview")}>
              <Text c="dimmed">{say("preview_text")}</Text>
              <Stack component="ul" className="columns plain" gap="sm">
                {keyed(personas).map(({ key, item: { age, role, bio } }) => (
                  <Paper key={key} withBorder p="sm" component="li">
                    <Text fw={600}>{say("aged", { role, age: number(age) })}</Text>
                    <Text size="sm">{bio}</Text>
                  </Paper>
                ))}
              </Stack>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
