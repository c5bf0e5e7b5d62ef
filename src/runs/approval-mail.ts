import { deleteEffect } from "../../db/queries/effects.ts";
import { membersOf } from "../../db/queries/firms.ts";
import { runInFirm } from "../../db/queries/runs.ts";
import type { EffectTable, Role, RunTable } from "../../db/schema/tables.ts";
import type { Db, Store } from "../../db/store.ts";
import type { Handler } from "../execution/worker.ts";
import { enqueueMail, type Mailer } from "../integrations/mail/mailer.ts";
import { composeMessage } from "../integrations/mail/message.ts";
import { languageOf } from "../integrations/mail/texts.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Registry } from "../registry/registry.ts";
import { approvalOf } from "./record.ts";

/** The roles that may decide an approval; its route admits the same. */
export const approvers: readonly Role[] = ["owner", "approver"];

/** Returns the link in an approval mail: the console page that shows the output to those who may see it. */
const approvalLink = (baseUrl: string, run: string): string => `${baseUrl}/console/approvals/${run}`;

export interface ApprovalMailOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly registry: Pick<Registry, "capabilities" | "useCases">;
  readonly mailer: Mailer;
  readonly baseUrl: string;
}

const nameOf = ({ capabilities, useCases }: ApprovalMailOptions["registry"], { capability, use_case }: RunTable) =>
  (useCases.get(use_case ?? "") ?? capabilities.get(capability ?? ""))?.name ?? use_case ?? capability ?? "";

/** Enqueues the message for every member of the firm who may decide and has confirmed their address. */
async function enqueueAll(
  tx: Db,
  options: ApprovalMailOptions,
  row: RunTable,
  kind: EffectTable["kind"],
  until: string,
) {
  const { runtime, registry, baseUrl } = options;
  const link = approvalLink(baseUrl, row.id);
  const message = kind === "approval_expires" ? "approval_expires" : "approval_waits";
  for (const { email, email_confirmed_at, locale, role } of await membersOf(tx, row.firm_id)) {
    if (email_confirmed_at === null || !approvers.includes(role)) continue;
    const composed = composeMessage(message, languageOf(locale), { link, what: nameOf(registry, row), until });
    await enqueueMail(tx, runtime, email, composed, runtime.now());
  }
}

/**
 * Returns the handler of approval mails. Messages enter the outbox in the transaction that removes the effect, so each
 * is sent exactly once even after a crash. They contain nothing of the withheld output. If the approval was decided in
 * the meantime, no message is sent.
 */
export function createApprovalMail(options: ApprovalMailOptions): Handler {
  const { store, mailer } = options;
  return async ({ id, actor_id, firm_id, kind, payload_json }) => {
    const { step } = JSON.parse(payload_json) as { step: string };
    await store.write(async (tx) => {
      if ((await deleteEffect.run(tx, { id })) === 0) return;
      const row = await runInFirm.first(tx, { id: actor_id, firm_id });
      const approval = row && approvalOf(row);
      if (!mailer.isConfigured || row?.status !== "awaiting_approval" || approval?.step !== step) return;
      await enqueueAll(tx, options, row, kind, approval.expires_at);
    });
    mailer.wake();
    return [];
  };
}
