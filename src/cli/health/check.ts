import { wrap } from "../client/screen.ts";
import type { Io } from "../io.ts";

/** One thing that `assay doctor` looked at. */
export interface HealthCheck {
  readonly about: string;
  readonly state: "ok" | "warn" | "fail";
  readonly found: string;
  /** What to do next. */
  readonly advice?: string;
}

/** It is as it should be. */
export const ok = (about: string, found: string): HealthCheck => ({ about, state: "ok", found });
/** It works, but needs attention. */
export const warn = (about: string, found: string, advice: string): HealthCheck => ({
  about,
  state: "warn",
  found,
  advice,
});
/** It does not work. */
export const fail = (about: string, found: string, advice: string): HealthCheck => ({
  about,
  state: "fail",
  found,
  advice,
});

const signs = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

const margin = "      ";

/** A check's lines: what was found, and what to do about it. On a terminal they fit it. */
export function checkLines(io: Io, { state, about, found, advice }: HealthCheck): string[] {
  const fitted = (text: string): string[] => (io.terminal ? wrap(text, io.columns - margin.length) : [text]);
  const [first = "", ...more] = fitted(`${about}: ${found}`);
  const rest = [...more, ...(advice === undefined ? [] : fitted(advice))];
  return [`${signs[state]}  ${first}`, ...rest.map((line) => margin + line)];
}
