import type { HealthCheck } from "../../platform/health-check.ts";
import { wrap } from "../client/screen.ts";
import type { Io } from "../io.ts";

const signs = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

const margin = "      ";

/** Formats a check: its finding, then its advice, fitted to the terminal. */
export function checkLines(io: Io, { state, about, found, advice }: HealthCheck): string[] {
  const fitted = (text: string): string[] => (io.terminal ? wrap(text, io.columns - margin.length) : [text]);
  const [first = "", ...more] = fitted(`${about}: ${found}`);
  const rest = [...more, ...(advice === undefined ? [] : fitted(advice))];
  return [`${signs[state]}  ${first}`, ...rest.map((line) => margin + line)];
}
