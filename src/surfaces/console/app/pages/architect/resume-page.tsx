import { Button, Group, Stack, Text } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import type { Schemas } from "../../shared/api.ts";
import { Back } from "../../shared/back.tsx";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { Structured } from "../../shared/structured.tsx";
import { BuilderSpec } from "./builder-spec.tsx";
import { Prose } from "./prose.tsx";
import { isGone, resumed, typedOf, useSolutionDraft } from "./solution.ts";
import { useWords } from "./words.ts";

type Resumed = Schemas["ResumedSolution"];

/** The stored intake and, if the solution was saved, its document and build specification. */
function Kept({ resumed, token }: { readonly resumed: Resumed; readonly token: string }) {
  const say = useWords();
  const { intake, saved, expires_at } = resumed;
  return (
    <Stack gap="lg">
      <Section title={say("step_goals")}>
        <Structured
          value={{
            [say("company")]: intake.company,
            [say("country")]: intake.country,
            [say("industry")]: intake.industry,
            [say("goals")]: intake.goals,
          }}
        />
      </Section>
      {saved?.sections.map(({ id, title, markdown }) => (
        <Section key={id} title={title}>
          <Prose markdown={markdown} />
        </Section>
      ))}
      {saved && <BuilderSpec token={token} expires_at={expires_at} />}
    </Stack>
  );
}

/** The page that a resume link opens: the stored solution, and a way to continue. */
export default function ResumePage() {
  const say = useWords();
  const { dateTime } = useFormat();
  const token = useLocation().hash.slice(1);
  const go = useNavigate();
  const { change } = useSolutionDraft();
  const query = useQuery(resumed(token));
  const goOn = ({ intake }: Resumed) => {
    change({ typed: typedOf(intake), intake: null });
    void go("/architect");
  };
  const opensNothing = isGone(query.error);
  return (
    <Page
      title={say("resumed")}
      above={<Back to="/architect">{say("title")}</Back>}
      actions={query.data && <Button onClick={() => goOn(query.data)}>{say("go_on")}</Button>}
    >
      {token === "" && <Empty icon={IconLinkOff} title={say("no_link")} />}
      {opensNothing && <Empty icon={IconLinkOff} title={say("gone")} text={say("gone_text")} />}
      {token !== "" && !opensNothing && (
        <Loaded query={query}>
          {(resumed) => (
            <>
              <Group>
                <Text c="dimmed">{say("resumed_text", { when: dateTime(resumed.expires_at) })}</Text>
              </Group>
              <Kept resumed={resumed} token={token} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}
