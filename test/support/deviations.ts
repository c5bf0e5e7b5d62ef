/**
 * Where the API intentionally differs from the conformance suite, which is fixed and older than these decisions. `bun
 * run check` fails for a failed check that no entry covers, and for an entry that covers no failure.
 */
export interface Deviation {
  readonly what: string;
  /** The failed checks that it covers, by the check's name and by its reason. */
  readonly name: RegExp;
  readonly why: RegExp;
  /** Why the API stays as it is. */
  readonly reason: string;
}

export const deviations: readonly Deviation[] = [
  {
    what: "no default for a run's mode",
    name: /^POST \/v1\/capabilities\/\{slug\}\/runs body$/,
    why: /^mode: default undefined, not "live"$/,
    reason: "Generators treat a member with a `default` as required. The description says that the default is `live`.",
  },
  {
    what: "the workspace of a use-case run",
    name: /^POST \/v1\/use-cases\/\{slug\}\/runs body$/,
    why: /^workspace_id: not in the specification$/,
    reason: "A use-case run takes `workspace_id` as a capability's run does: its charges belong to a workspace.",
  },
  {
    what: "approval item by item",
    name: /^POST \/v1\/runs\/\{run_id\}\/approval body$/,
    why: /^items: not in the specification$/,
    reason: "Approvers decide each item of a step's output, and so the decision has `items`.",
  },
  {
    what: "the scope that is missing",
    name: /^details in a validation_error only, as \[\{path, message\}\]$/,
    why: /^not \d+ of \d+ errors, first [^{]* 403 \{"error":\{"code":"missing_scope",/,
    reason: "`missing_scope` names the scope in `details`, so that the caller knows what to request from the owner.",
  },
  {
    what: "a receipt as plain text",
    name: /^GET \/v1\/runs\/\{run_id\}\/receipt -> 200 and a compact JWS$/,
    why: /^its type is text\/plain/,
    reason:
      "The suite accepts only `application/json`, as openapi-generator's Python client does, which fails on `application/jose`. Callers that accept `application/jose` or any type get that.",
  },
];
