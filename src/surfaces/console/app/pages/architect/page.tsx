import { Button, Group, Stack, Stepper } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../shared/api.ts";
import { Page } from "../../shared/page.tsx";
import { Build } from "./build.tsx";
import { Document } from "./document.tsx";
import { IntakeForm } from "./intake-form.tsx";
import { Options } from "./options.tsx";
import { nothingTyped, type Typed } from "./solution.ts";
import { Understood } from "./understood.tsx";
import { useWords } from "./words.ts";

const steps = ["step_goals", "step_understood", "step_options", "step_document", "step_build"] as const;

/** From goals to what a builder needs, a step at a time; going back keeps what was typed. */
export function Architect({ typedBefore }: { readonly typedBefore: Typed }) {
  const say = useWords();
  const [step, go] = useState(0);
  const [typed, type] = useState(typedBefore);
  const [intake, setIntake] = useState<Schemas["Intake"]>();
  const understood = (answer: Schemas["Intake"]): void => {
    setIntake(answer);
    go(1);
  };
  const contents = (): ReactNode => {
    if (!intake || step === 0) return <IntakeForm typed={typed} type={type} understood={understood} />;
    const { solution_id } = intake;
    if (step === 1) return <Understood intake={intake} />;
    if (step === 2) return <Options solution_id={solution_id} />;
    return step === 3 ? <Document solution_id={solution_id} /> : <Build solution_id={solution_id} />;
  };
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Stepper active={step} onStepClick={go} size="sm" className="steps">
        {steps.map((name, i) => (
          <Stepper.Step key={name} label={say(name)} allowStepSelect={i === 0 || intake !== undefined} />
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

/** A solution from its beginning. */
export default function ArchitectPage() {
  return <Architect typedBefore={nothingTyped} />;
}
