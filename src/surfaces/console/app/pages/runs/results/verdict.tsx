import { Button, Group, Stack, Text } from "@mantine/core";
import { useFormat } from "../../../shared/format.ts";
import { useWords } from "../words.ts";
import { Judgement, Part } from "./parts.tsx";
import { type ResultProps, textIn } from "./shapes.ts";

const looks = { GO: "good", CONDITIONAL: "uneasy", "NO-GO": "bad" } as const;

/** A study's verdict, and the way to all of the study: interval, segments, personas. */
export default function Verdict({ input, result }: ResultProps<"market-validator">) {
  const say = useWords();
  const { percent } = useFormat();
  const { verdict, confidence, result_reference } = result;
  // A use case asks in words of its own.
  const hypothesis = textIn(input, "hypothesis") || textIn(input, "value_proposition");
  const path = URL.parse(result_reference, location.href)?.pathname;
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
