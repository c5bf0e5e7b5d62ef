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
    name: T.String({ description: "The slug of a capability or use case, or the name of a limit per key or person." }),
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
    grantable_entitlements: T.Array(T.String(), { description: "Every entitlement that the firm may be granted." }),
    quotas: T.Array(OperatorQuota),
    limitable: T.Array(T.String(), { description: "Every name that can have a monthly limit." }),
    workspaces: T.Array(Place),
    users: T.Array(closed({ id: Id, email: T.String(), role: Role })),
  },
  { title: "OperatorFirmDetail" },
);

export const OperatorCreditChange = closed(
  {
    kind: {
      ...enumeration("grant", "topup", "adjust"),
      description: "`grant` and `topup` add credits; `adjust` corrects the balance, up or down.",
    },
    credits: T.Integer({
      minimum: -1_000_000_000_000,
      maximum: 1_000_000_000_000,
      description: "Whole credits, not 0. Negative only with `adjust`.",
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
    name: T.String({ description: "`platform`, or the slug of a capability or use case." }),
    open: T.Boolean(),
    changed_at: nullable(Time),
    changed_by: nullable(T.String({ description: "`user:<id>`, or `operator` for the command line." })),
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
    open: T.Boolean({ description: "Whether its gate is open. It does not run while closed." }),
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
      description: "SHA-256 over the previous hash and this entry, in hex; see the operations guide.",
    }),
  },
  { title: "OperatorAuditEntry" },
);

export const OperatorAuditCheck = closed(
  {
    ok: T.Boolean(),
    checked: count(),
    problems: T.Array(T.String(), { description: "The problems found, one line each; empty if the chain is intact." }),
    last: nullable(
      closed(
        { seq: T.Integer({ minimum: 1 }), hash: T.String() },
        { description: "The last entry, for you to record elsewhere." },
      ),
    ),
  },
  { title: "OperatorAuditCheck" },
);

const BackupName = T.String({
  description: "File name in `backups` in the data folder.",
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
    ok: T.Boolean({ description: "Nothing has failed; something may need attention." }),
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
