import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { Section } from "../../shared/section.tsx";
import { Failed } from "../../shared/states.tsx";
import { useComposing } from "./composing.ts";
import { Details, Prose } from "./prose.tsx";
import { useWords } from "./words.ts";

/** The document, shown section by section while it is composed. */
export function Document({ solution_id }: { readonly solution_id: string }) {
  const say = useWords();
  const { composing, cancel, again } = useComposing(solution_id);
  const { status, done, of, stage, sections, error } = composing;
  const isRunning = status === "running";
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group justify="space-between">
          <Text role="status">
            {isRunning
              ? say("composing", { stage: say(isStage(stage) ? `stage_${stage}` : "stage_draft") })
              : say(status)}
          </Text>
          {isRunning ? (
            <Button variant="default" onClick={cancel}>
              {say("cancel")}
            </Button>
          ) : (
            <Button variant="default" onClick={again}>
              {say("again")}
            </Button>
          )}
        </Group>
        <Progress value={status === "completed" ? 100 : (done / of) * 100} aria-label={say("document")} />
      </Stack>
      {status === "failed" && <Failed error={error} retry={again} />}
      {status === "cancelled" && <Alert color="gray">{say("cancelled_text")}</Alert>}
      {sections.map((section) => (
        <Section key={section.id} title={section.title}>
          <Prose markdown={section.markdown} />
          {status === "completed" && <Details solution_id={solution_id} section={section} />}
        </Section>
      ))}
    </Stack>
  );
}

const stages = ["intake", "match", "price", "risk", "draft", "verify"] as const;
const isStage = (stage: string): stage is (typeof stages)[number] => stages.some((one) => one === stage);
