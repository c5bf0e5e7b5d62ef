import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, notBlank, nullable } from "../../platform/schema.ts";
import { Balance } from "../usage/schema.ts";

const Id = T.String({ format: "uuid" });
const Time = T.String({ format: "date-time" });
const count = () => T.Integer({ minimum: 0 });
const Role = enumeration("owner", "admin", "approver", "member");
const Place = closed({ id: Id, name: T.String(), slug: T.String() });

export const OperatorFirm = closed(
  { id: Id, name: T.String(), slug: T.String(), created_at: Time, credits: Balance },
  { title: "OperatorFirm" },
);

/** A monthly limit. */
export const OperatorQuota = closed(
  {
    name: T.String({ description: "A capability's or use case's slug, or what is counted by key or person." }),
    counted_for: enumeration("firm", "key", "user"),
    monthly_runs: count(),
    changed_at: Time,
  },
  { title: "OperatorQuota" },
);
export type OperatorQuota = Static<typeof OperatorQuota>;

export const OperatorFirmDetail = closed(
  {
    ...OperatorFirm.properties,
    entitlements: T.Array(T.String()),
    grantable_entitlements: T.Array(T.String(), { description: "Every name that the firm may be given." }),
    quotas: T.Array(OperatorQuota),
    limitable: T.Array(T.String(), { description: "Every name that may be limited by the month." }),
    workspaces: T.Array(Place),
    users: T.Array(closed({ id: Id, email: T.String(), role: Role })),
  },
  { title: "OperatorFirmDetail" },
);

export const OperatorCreditChange = closed(
  {
    kind: {
      ...enumeration("grant", "topup", "adjust"),
      description: "`grant` and `topup` give; `adjust` corrects, up or down.",
    },
    credits: T.Integer({
      minimum: -1_000_000_000_000,
      maximum: 1_000_000_000_000,
      description: "Whole credits, not 0. Below 0 they are taken back, with `adjust` alone.",
      examples: [500],
    }),
    reason: T.String({ minLength: 1, maxLength: 500, ...notBlank, description: "For the ledger." }),
  },
  { title: "OperatorCreditChange" },
);
export type OperatorCreditChange = Static<typeof OperatorCreditChange>;

export const OperatorQuotaChange = closed({ monthly_runs: count() }, { title: "OperatorQuotaChange" });

export const OperatorEntitlements = closed({ entitlements: T.Array(T.String()) }, { title: "OperatorEntitlements" });
export const OperatorQuotas = closed({ quotas: T.Array(OperatorQuota) }, { title: "OperatorQuotas" });

export const OperatorGate = closed(
  {
    name: T.String({ description: "`platform`, or a slug of what is sold." }),
    open: T.Boolean(),
    changed_at: nullable(Time),
    changed_by: nullable(T.String({ description: "`user:<id>`, or `operator` for the terminal." })),
  },
  { title: "OperatorGate" },
);
export const OperatorGateChange = closed({ open: T.Boolean() }, { title: "OperatorGateChange" });

export const OperatorConnector = closed(
  {
    slug: T.String(),
    firm_id: Id,
    name: T.String(),
    semantic_version: T.String(),
    tool: T.String(),
    engine: T.String({ description: "`https` or `mcp`." }),
    open: T.Boolean({ description: "Whether its gate is open. Closed, it is not run." }),
    created_at: Time,
    changed_at: Time,
  },
  { title: "OperatorConnector" },
);
export type OperatorConnector = Static<typeof OperatorConnector>;

export const OperatorAuditEntry = closed(
  {
    seq: T.Integer({ minimum: 1 }),
    at: Time,
    firm_id: nullable(Id),
    actor: T.String(),
    action: T.String(),
    subject: T.String(),
    data: T.Object({}, { additionalProperties: true }),
    hash: T.String({
      description: "SHA-256 over the previous hash and this entry, in hexadecimal: the operations guide has the rule.",
    }),
  },
  { title: "OperatorAuditEntry" },
);

export const OperatorAuditCheck = closed(
  {
    ok: T.Boolean(),
    checked: count(),
    problems: T.Array(T.String(), { description: "What is wrong, a line each; empty for a chain that is whole." }),
    last: nullable(
      closed(
        { seq: T.Integer({ minimum: 1 }), hash: T.String() },
        { description: "The last entry, to be noted elsewhere." },
      ),
    ),
  },
  { title: "OperatorAuditCheck" },
);

const BackupName = T.String({
  description: "Its name in the data folder's `backups`.",
  examples: ["backup-20261122T093000000Z.db"],
});

export const OperatorBackup = closed(
  {
    file: BackupName,
    bytes: count(),
    sha256: nullable(T.String()),
    created_at: Time,
  },
  { title: "OperatorBackup" },
);

export const OperatorBackupJob = closed(
  {
    file: BackupName,
    started_at: Time,
    status: enumeration("running", "succeeded", "failed"),
    error: nullable(T.String(), null),
  },
  { title: "OperatorBackupJob" },
);

export const OperatorBackups = closed(
  {
    items: T.Array(OperatorBackup),
    last: nullable(OperatorBackupJob, null),
  },
  { title: "OperatorBackups" },
);

export const OperatorHealth = closed(
  {
    ok: T.Boolean({ description: "Nothing is broken; something may need attention." }),
    checks: T.Array(
      closed({
        about: T.String(),
        state: enumeration("ok", "warn", "fail"),
        found: T.String(),
        advice: nullable(T.String()),
      }),
    ),
  },
  { title: "OperatorHealth" },
);
