import { Accordion } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../../shared/api.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { Structured } from "../../../shared/structured.tsx";
import { useWords } from "../words.ts";
import { Result } from "./result.tsx";

interface StepsProps {
  readonly input: Schemas["Run"]["input"];
  readonly steps: readonly Pick<Schemas["Step"], "key" | "title" | "capability" | "result">[];
  /** Whether the input is shown first. */
  readonly showsInput?: boolean;
}

/** The results of several steps, each collapsed under its title. */
export function Steps({ input, steps, showsInput = false }: StepsProps) {
  const say = useWords();
  const { own } = useOwnWords();
  const [opened, open] = useState<string[]>([]);
  return (
    <Accordion variant="contained" multiple value={opened} onChange={open}>
      {showsInput && (
        <Accordion.Item value="input">
          <Accordion.Control>{say("input")}</Accordion.Control>
          <Accordion.Panel>
            <Structured value={input} />
          </Accordion.Panel>
        </Accordion.Item>
      )}
      {steps.map(({ key, title, capability, result }) => (
        <Accordion.Item key={key} value={key}>
          <Accordion.Control>{own(title)}</Accordion.Control>
          <Accordion.Panel>
            {/* A chart can't be drawn before it has a size. */}
            {opened.includes(key) && <Result capability={capability} input={input} result={result} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
