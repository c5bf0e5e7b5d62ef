import { Button, Checkbox, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useId, useMemo } from "react";
import type { Schemas } from "../../shared/api.ts";
import { countryNames } from "../../shared/country-names.ts";
import { NumberField } from "../../shared/number-field.tsx";
import { Section } from "../../shared/section.tsx";
import { Failed } from "../../shared/states.tsx";
import { useLanguage } from "../../shared/words.ts";
import { type Typed, useIntake } from "./solution.ts";
import { useWords } from "./words.ts";

interface IntakeFormProps {
  readonly typed: Typed;
  type(typed: Typed): void;
  /** What was understood of the input; null before it is requested. */
  readonly intake: Schemas["Intake"] | null;
  understood(intake: Schemas["Intake"]): void;
}

/** Suggestions for the country field. The server also accepts codes and other names. */
function Countries({ id }: { readonly id: string }) {
  const { language } = useLanguage();
  const names = useMemo(() => countryNames(language), [language]);
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

const lists = ["constraints", "channels", "data_sources"] as const;

/** The form for the firm's goals, in its own words. */
export function IntakeForm({ typed, type, intake, understood }: IntakeFormProps) {
  const say = useWords();
  const describing = useIntake(understood);
  const countries = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (intake) understood(intake);
    else describing.mutate(typed);
  };
  const textOf = (name: Exclude<keyof Typed, "budget" | "consent">) => ({
    label: say(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) => type({ ...typed, [name]: event.currentTarget.value }),
  });
  return (
    <Section title={say("step_goals")}>
      <form onSubmit={submit}>
        <Stack>
          <div className="columns">
            <TextInput required {...textOf("company")} />
            <TextInput required description={say("country_text")} list={countries} {...textOf("country")} />
            <Countries id={countries} />
            <TextInput required {...textOf("industry")} />
            <NumberField
              label={say("budget")}
              description={say("budget_text")}
              min={0}
              max={1_000_000_000}
              typed={typed.budget}
              type={(budget) => type({ ...typed, budget })}
            />
          </div>
          <Textarea required autosize minRows={3} description={say("goals_text")} {...textOf("goals")} />
          {lists.map((name) => (
            <Textarea key={name} autosize minRows={2} description={say("one_a_line")} {...textOf(name)} />
          ))}
          <Checkbox
            label={say("resumable")}
            checked={typed.consent}
            onChange={(event) => type({ ...typed, consent: event.currentTarget.checked })}
          />
          {describing.isError && <Failed error={describing.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={describing.isPending}>
              {say("next")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
