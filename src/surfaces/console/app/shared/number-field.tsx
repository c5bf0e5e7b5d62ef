import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useCommonWords } from "./common-words.ts";
import { useFormat } from "./format.ts";
import { typedNumber } from "./typed-number.ts";
import { useLanguage } from "./words.ts";

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether fractions are allowed. */
  readonly fraction?: boolean;
  /** Message for values below `min`, instead of the default. */
  readonly tooSmall?: string | undefined;
}

/** Returns the error in the typed text, in the reader's language; undefined if it is valid or empty. */
function useMistake(typed: string, { min, max, fraction = false, tooSmall }: Bounds): string | undefined {
  const say = useCommonWords();
  const { number } = useFormat();
  const { language } = useLanguage();
  if (typed.trim() === "") return undefined;
  const value = typedNumber(typed, language, { fraction });
  if (value === undefined) return say(fraction ? "number_wanted" : "whole_number_wanted", { example: number(1000) });
  const [least, most] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
  if (value >= least && value <= most) return undefined;
  if (value < least && tooSmall !== undefined) return tooSmall;
  if (min === undefined) return say("number_at_most", { max: number(most) });
  return max === undefined
    ? say("number_at_least", { min: number(min) })
    : say("number_between", { min: number(min), max: number(max) });
}

type Shown = Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max">;
interface NumberFieldProps extends Shown, Bounds {
  /** The text in the field; `typedNumber` parses it. */
  readonly typed: string;
  type(typed: string): void;
}

/**
 * A field for a number. The typed text is kept as is, and the form can't be submitted while it is invalid or out of
 * bounds. The error appears when the field loses focus or the form is submitted.
 */
export function NumberField({ typed, type, min, max, fraction, tooSmall, error, ...shown }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isLeft, leave] = useState(false);
  const mistake = useMistake(typed, { min, max, tooSmall, ...(fraction !== undefined && { fraction }) });
  useEffect(() => field.current?.setCustomValidity(mistake ?? ""), [mistake]);
  return (
    <TextInput
      {...shown}
      ref={field}
      inputMode={min !== undefined && min >= 0 ? (fraction ? "decimal" : "numeric") : "text"}
      autoComplete="off"
      error={(isLeft && mistake) || error}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        leave(true);
        shown.onBlur?.(event);
      }}
      onInvalid={() => leave(true)}
    />
  );
}
