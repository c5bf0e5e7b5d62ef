import { Button, Group, Stack, Text } from "@mantine/core";
import { useFormat } from "../../../shared/format.ts";
import { Rows } from "../../../shared/rows.tsx";
import { useMe } from "../../../shared/session.ts";
import { Loading } from "../../../shared/states.tsx";
import { Interval } from "../../validations/interval.tsx";
import { Notes } from "../../validations/notes.tsx";
import { useStudy } from "../../validations/queries.ts";
import { useWords as useStudyWords } from "../../validations/words.ts";
import { useWords } from "../words.ts";
import { Judgement, Part } from "./parts.tsx";
import { type ResultProps, textIn } from "./shapes.ts";

const looks = { GO: "good", CONDITIONAL: "uneasy", "NO-GO": "bad" } as const;

/** The purchase intent compared with what the decision needs, and the segments that would buy. */
function Study({ id }: { readonly id: string }) {
  const say = useStudyWords();
  const { number, percent } = useFormat();
  const { data: study, isPending } = useStudy(id);
  if (isPending) return <Loading lines={4} />;
  // A deleted or imported study has no report.
  if (!study?.report) return null;
  const { report, decision_size } = study;
  return (
    <Stack w="100%">
      <Interval report={report} size={decision_size} />
      {report.segments.length > 0 && (
        <Part title={say("segments")}>
          <Rows
            label={say("segments")}
            rows={report.segments}
            keyOf={({ label }) => label}
            columns={[
              { name: say("segments"), cell: ({ label }) => label },
              { name: say("personas"), isFigure: true, cell: ({ personas }) => number(personas) },
              { name: say("would_buy"), isFigure: true, cell: ({ intent }) => percent(intent) },
            ]}
          />
        </Part>
      )}
    </Stack>
  );
}

/** A study's verdict with its interval and segments, and a link to the study. */
export default function Verdict({ input, result }: ResultProps<"market-validator">) {
  const say = useWords();
  const { percent } = useFormat();
  const { verdict, confidence, result_reference, notes = [] } = result;
  // Use cases name this input differently.
  const hypothesis = textIn(input, "hypothesis") || textIn(input, "value_proposition");
  const path = URL.parse(result_reference, location.href)?.pathname;
  const study = /\/validations\/([^/]+)$/.exec(path ?? "")?.[1];
  const mayRead = useMe().scopes.has("validator:read");
  return (
    <Stack align="flex-start">
      {verdict && (
        <Group gap="sm">
          <Judgement look={looks[verdict]}>{verdict}</Judgement>
          {typeof confidence === "number" && (
            <Text c="dimmed">{say("confidence", { value: percent(confidence) })}</Text>
          )}
        </Group>
      )}
      <Notes notes={notes} />
      {study !== undefined && mayRead && <Study id={study} />}
      {hypothesis !== "" && (
        <Part title={say("question")}>
          <Text className="passage">{hypothesis}</Text>
        </Part>
      )}
      {path !== undefined && (
        <Button component="a" variant="default" href={path}>
          {say("open_validation")}
        </Button>
      )}
    </Stack>
  );
}
