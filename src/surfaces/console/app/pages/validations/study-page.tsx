import { Button } from "@mantine/core";
import { Link, useParams } from "react-router";
import { Back } from "../../shared/back.tsx";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { isNowhere, Loaded, NotFound } from "../../shared/states.tsx";
import { useAudiences, useStudy } from "./queries.ts";
import { StudyView } from "./study.tsx";
import { useWords } from "./words.ts";

/** The page of a study, linked from its run's result and its mail. */
export default function StudyPage() {
  const say = useWords();
  const { dateTime } = useFormat();
  const countryName = useCountryName();
  const { id = "" } = useParams();
  const query = useStudy(id);
  const { data: study } = query;
  const audiences = useAudiences();
  const audience = audiences.data?.audiences.find(({ audience_id }) => audience_id === study?.audience_id)?.name;
  const market = study?.report?.market.code;
  const whom = [audience, market && countryName(market)].filter(Boolean).join(" · ");
  if (isNowhere(query.error)) return <NotFound />;
  return (
    <Page
      title={say("study")}
      lead={
        study &&
        [say("study_lead", { when: dateTime(study.created_at), size: study.decision_size }), whom]
          .filter(Boolean)
          .join(" · ")
      }
      width={880}
      above={<Back to="/validations">{say("back")}</Back>}
      actions={
        study && (
          <Button component={Link} to={`/validations/compare?left=${id}`} variant="default">
            {say("compare")}
          </Button>
        )
      }
    >
      <Loaded query={query}>{(loaded) => <StudyView study={loaded} />}</Loaded>
    </Page>
  );
}
