/** One item of a health check, as printed by `assay doctor` and returned by the operator's API. */
export interface HealthCheck {
  readonly about: string;
  readonly state: "ok" | "warn" | "fail";
  readonly found: string;
  /** What to do next. */
  readonly advice?: string;
}

/** Works as it should. */
export const ok = (about: string, found: string): HealthCheck => ({ about, state: "ok", found });
/** Works, but needs attention. */
export const warn = (about: string, found: string, advice: string): HealthCheck => ({
  about,
  state: "warn",
  found,
  advice,
});
/** Does not work. */
export const fail = (about: string, found: string, advice: string): HealthCheck => ({
  about,
  state: "fail",
  found,
  advice,
});
