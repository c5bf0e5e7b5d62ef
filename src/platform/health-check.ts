/** One thing that a health check looked at: what `assay doctor` prints, and the operator's API answers. */
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
