import { Radio, Stack } from "@mantine/core";
import { costOf, type DecisionSize, decisionSizes, depths } from "../../../../../products/validator/sizes.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "./words.ts";

interface SizeChoiceProps {
  readonly size: DecisionSize;
  choose(size: DecisionSize): void;
  /** Number of personas asked; undefined before an audience is chosen. */
  readonly personas: number | undefined;
}

const isSize = (value: string): value is DecisionSize => decisionSizes.some((size) => size === value);

/** The size of the decision: what each size asks, and its price. */
export function SizeChoice({ size, choose, personas }: SizeChoiceProps) {
  const say = useWords();
  const { number, percent } = useFormat();
  return (
    <Radio.Group
      label={say("decision_size")}
      description={say("decision_size_text")}
      value={size}
      onChange={(value) => isSize(value) && choose(value)}
    >
      <Stack gap={8} mt="xs">
        {decisionSizes.map((one) => (
          <Radio
            key={one}
            value={one}
            label={
              personas === undefined ? one : say("size_priced", { size: one, credits: number(costOf(one, personas)) })
            }
            description={say(`size_${one}`, { threshold: percent(depths[one].threshold) })}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
