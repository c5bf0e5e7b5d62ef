import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../platform/schema.ts";

export const RunStatus = enumeration("queued", "running", "succeeded", "failed", "refused", "awaiting_approval");
export const RunMode = enumeration("live", "trial");

const at = () => T.String({ format: "date-time" });
/** Why something ended as it did. */
export const Reason = closed({ code: T.String(), message: T.String() }, { title: "Reason" });
/** Follows the output schema of what was run; the API reference names them all. */
const Result = T.Unknown({ title: "Result" });

/** Progress of a running step, as its engine reports it. Not stored: `null` after a restart until the next report. */
export const StepProgress = closed(
  { stage: T.String(), completed: T.Integer({ minimum: 0 }), total: T.Integer({ minimum: 0 }) },
  { title: "StepProgress" },
);
export type StepProgress = Static<typeof StepProgress>;

export const Step = closed(
  {
    key: T.String(),
    capability: T.String(),
    title: T.String(),
    status: enumeration("pending", "running", "awaiting_approval", "succeeded", "failed", "withheld", "skipped"),
    attempt: T.Integer({ minimum: 0 }),
    maximum_credits: T.Integer({ minimum: 0 }),
    charged_credits: T.Integer({ minimum: 0 }),
    started_at: nullable(at()),
    finished_at: nullable(at()),
    progress: nullable(StepProgress, null),
    result: Result,
    error: nullable(Reason),
  },
  { title: "Step" },
);
export type Step = Static<typeof Step>;

/** An item of an output awaiting approval, for its approvers. Its id is its position, from 1, and identifies no one. */
export interface WaitingItem {
  readonly id: string;
  readonly label: string;
}
export const ApprovalChoice = enumeration("approve", "reject");
/** The decision on an item. */
export interface DecidedItem {
  readonly id: string;
  readonly decision: Static<typeof ApprovalChoice>;
}

const ApprovalItem = closed(
  {
    id: T.String({ description: "The item's place in the output, from 1." }),
    label: nullable(
      T.String({ description: "Shown only to approvers while the decision is pending; otherwise null." }),
    ),
    decision: nullable(ApprovalChoice),
  },
  { title: "ApprovalItem" },
);

export const Approval = closed(
  {
    step: T.String(),
    reason: T.String(),
    requested_at: at(),
    expires_at: at(),
    decided_at: nullable(at()),
    decision: nullable(ApprovalChoice),
    decided_by: nullable(T.String()),
    comment: nullable(T.String()),
    items: nullable(
      T.Array(ApprovalItem, {
        description:
          "While the decision is pending: the output's items, shown only to approvers. Afterwards: the decision on each item, if items were decided.",
      }),
    ),
    approved_sha256: nullable(
      T.String({ description: "SHA-256 over the canonical JSON (RFC 8785) of the output that was approved." }),
    ),
  },
  { title: "Approval" },
);
export type Approval = Static<typeof Approval>;

export const Charges = closed({
  currency: T.Literal("credits"),
  maximum_credits: T.Integer({ minimum: 0 }),
  reserved_credits: T.Integer({ minimum: 0 }),
  charged_credits: T.Integer({ minimum: 0 }),
  released_credits: T.Integer({ minimum: 0 }),
});

/** The engine that did the work; `model` is `null` for an embedded method. */
export const EngineRecord = closed({ name: T.String(), version: T.String(), model: nullable(T.String()) });

/** The run record, the same on every execution surface. */
export const Run = closed(
  {
    id: T.String({ format: "uuid" }),
    kind: enumeration("capability", "use_case"),
    capability: nullable(T.String()),
    use_case: nullable(T.String(), null),
    semantic_version: T.String(),
    status: RunStatus,
    status_reason: nullable(Reason),
    mode: RunMode,
    surface: T.String(),
    workspace_id: T.String({ format: "uuid" }),
    input: T.Unknown(),
    result: Result,
    engine: nullable(EngineRecord),
    steps: T.Array(Step),
    approval: nullable(Approval, null),
    charges: Charges,
    created_at: at(),
    started_at: nullable(at()),
    finished_at: nullable(at()),
    updated_at: at(),
    receipt_url: nullable(T.String()),
    links: closed({ self: T.String(), approve: nullable(T.String()) }),
  },
  { title: "Run" },
);
export type Run = Static<typeof Run>;

/** Idempotency keys of runs. */
export const idempotencyHeader = T.String({ minLength: 8, maxLength: 200 });

export const CapabilityRunCreateRequest = closed(
  {
    input: T.Object(
      {},
      { additionalProperties: true, description: "Validated against the capability's input schema." },
    ),
    mode: T.Optional({ ...RunMode, description: "Defaults to `live`." }),
    workspace_id: T.Optional(T.String({ format: "uuid" })),
    maximum_credits: T.Optional(T.Integer({ minimum: 0, description: "Refuse the run if its price exceeds this." })),
  },
  { title: "CapabilityRunCreateRequest" },
);

export const UseCaseRunCreateRequest = closed(
  {
    input: T.Object({}, { additionalProperties: true, description: "Validated against the use case's input schema." }),
    quote_id: T.Optional(T.String({ format: "uuid" })),
    workspace_id: T.Optional(T.String({ format: "uuid" })),
  },
  { title: "UseCaseRunCreateRequest" },
);

const itemIds = (description: string) =>
  T.Optional(T.Array(T.String({ minLength: 1, maxLength: 20 }), { maxItems: 10_000, description }));

export const ApprovalDecisionRequest = closed(
  {
    decision: ApprovalChoice,
    comment: T.Optional(T.String({ maxLength: 2000 })),
    items: T.Optional(
      closed(
        { approve: itemIds("Items to deliver."), reject: itemIds("Items to erase.") },
        {
          description:
            "Decides the output's items separately; every item must be in one of the lists. If absent, the decision applies to the whole output.",
        },
      ),
    ),
  },
  { title: "ApprovalDecisionRequest" },
);
export type ApprovalDecisionRequest = Static<typeof ApprovalDecisionRequest>;

/** `typ` in the JWS header of a receipt, so that no other Assay token can be passed off as one. */
export const receiptType = "assay-receipt+jws";
