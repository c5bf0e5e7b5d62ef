import { Button, Group, Stack, Stepper } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Page } from "../../shared/page.tsx";
import { Build } from "./build.tsx";
import { Document } from "./document.tsx";
import { IntakeForm } from "./intake-form.tsx";
import { useKeptSolutions } from "./kept.ts";
import { KeptSolutions } from "./kept.tsx";
import { Options } from "./options.tsx";
import { useSolutionDraft } from "./solution.ts";
import { Understood } from "./understood.tsx";
import { useWords } from "./words.ts";

const steps = ["goals", "understood", "options", "document", "build"] as const;

/**
 * The architect: from goals to a build specification, one step at a time. The step is in the address; the input is
 * stored in this tab.
 */
export default function ArchitectPage() {
  const say = useWords();
  const [search, setSearch] = useSearchParams();
  const { form, change } = useSolutionDraft();
  const { add } = useKeptSolutions();
  const { typed, intake } = form;
  const asked = steps.find((name) => name === search.get("step")) ?? "goals";
  const step = intake === null ? 0 : steps.indexOf(asked);
  const go = (to: number): void => setSearch(to === 0 ? {} : { step: steps[to] ?? "" });
  const contents = (): ReactNode => {
    if (!intake || step === 0)
      return (
        <>
          <IntakeForm
            typed={typed}
            type={(next) => change({ typed: next, intake: null })}
            intake={intake}
            understood={(answer) => {
              const { solution_id, resume_token } = answer;
              if (resume_token !== null) add({ solution_id, token: resume_token });
              change({ typed, intake: answer });
              go(1);
            }}
          />
          <KeptSolutions />
        </>
      );
    const { solution_id } = intake;
    if (step === 1) return <Understood intake={intake} />;
    if (step === 2) return <Options solution_id={solution_id} />;
    return step === 3 ? <Document solution_id={solution_id} /> : <Build solution_id={solution_id} />;
  };
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Stepper active={step} onStepClick={go} size="sm" className="steps">
        {steps.map((name, i) => (
          <Stepper.Step key={name} label={say(`step_${name}`)} allowStepSelect={i === 0 || intake !== null} />
        ))}
      </Stepper>
      <Stack gap="lg">
        {contents()}
        {step > 0 && (
          <Group justify="space-between">
            <Button variant="default" onClick={() => go(step - 1)}>
              {say("back")}
            </Button>
            {step < steps.length - 1 && <Button onClick={() => go(step + 1)}>{say("next")}</Button>}
          </Group>
        )}
      </Stack>
    </Page>
  );
}
