import { Grid, Select, Stack } from "@mantine/core";
import { useSearchParams } from "react-router";
import { Back } from "../../shared/back.tsx";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { type Listed, useStudies, useStudy } from "./queries.ts";
import { Side } from "./side.ts";
import { StudyView } from "./study.tsx";
import { useWords } from "./words.ts";

function Chosen({ id }: { readonly id: string }) {
  return <Loaded query={useStudy(id)}>{(study) => <StudyView study={study} />}</Loaded>;
}

interface HalfProps {
  readonly label: string;
  readonly studies: readonly Listed[];
  readonly id: string | null;
  choose(id: string): void;
}

/** One side of the comparison: a select, and the chosen study. */
function Half({ label, studies, id, choose }: HalfProps) {
  const { dateTime } = useFormat();
  return (
    <Stack gap="lg">
      <Select
        label={label}
        allowDeselect={false}
        data={studies.map(({ simulation_id, created_at, verdict, decision_size }) => ({
          value: simulation_id,
          label: [dateTime(created_at), verdict, decision_size].filter(Boolean).join(" · "),
        }))}
        value={id}
        onChange={(chosen) => chosen !== null && choose(chosen)}
      />
      {id !== null && (
        <Side value={label}>
          <Chosen id={id} />
        </Side>
      )}
    </Stack>
  );
}

/** Two studies side by side, chosen by `?left=&right=`. */
export default function ComparePage() {
  const say = useWords();
  const [search, setSearch] = useSearchParams();
  const choose = (side: string) => (id: string) => {
    const next = new URLSearchParams(search);
    next.set(side, id);
    setSearch(next, { replace: true });
  };
  return (
    <Page title={say("compare")} width="full" above={<Back to="/validations">{say("back")}</Back>}>
      <Loaded query={useStudies()}>
        {({ validations }) =>
          validations.length === 0 ? (
            <Empty title={say("studies_none")} text={say("studies_none_text")} />
          ) : (
            <Grid gap="lg">
              {(["left", "right"] as const).map((side) => (
                <Grid.Col key={side} span={{ base: 12, md: 6 }}>
                  <Half label={say(`side_${side}`)} studies={validations} id={search.get(side)} choose={choose(side)} />
                </Grid.Col>
              ))}
            </Grid>
          )
        }
      </Loaded>
    </Page>
  );
}
