import { anybody } from "../../db/queries/limits.ts";
import { type AuditContext, operator } from "../accounts/admin/audit-context.ts";
import { limitMonthly } from "../accounts/admin/permissions.ts";
import { createHost, noReceipt } from "../execution/host.ts";
import { monthlyGuard } from "../execution/usage/quota.ts";
import { createActorWatch } from "../execution/watch.ts";
import { decideNewJob } from "../jobs/decide.ts";
import { createJobKind } from "../jobs/kind.ts";
import { present } from "../platform/assert.ts";
import { hour, second } from "../platform/clock.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

/** Monthly number of company analyses per API key of the demo. */
const monthlyAnalyses = 100;

/** A fictitious profile, written for the demo. No page was read for it. */
const sample = {
  company_name: "SYNTHETIC Example Brokers",
  target_audience: "SYNTHETIC: owners of small workshops",
  products_services: ["SYNTHETIC: liability insurance", "SYNTHETIC: fleet insurance"],
  market: "SYNTHETIC: Czechia",
};
const engine = { name: "synthetic-sample", version: "1.0.0", model: null };

/** Creates a finished company analysis of the firm's first key, without a network. Returns its id. */
async function addJob({ store, services: { runtime } }: DemoOptions, firm: DemoFirm): Promise<string> {
  const created_at = runtime.now() - hour;
  const key_id = present(firm.seeded.key_id ?? undefined, "the demo firm's first key");
  const id = runtime.id(created_at);
  const kind = createJobKind(store, { random: runtime.random, owner: "demo" }, createActorWatch());
  const host = createHost({ store, sign: noReceipt });
  const counted = { firm_id: firm.id, subject: `key:${key_id}`, name: "company-analyses" as const };
  const quota = await monthlyGuard(store.read, counted, created_at);
  const job = {
    id,
    firm_id: firm.id,
    workspace_id: present(firm.workspaces[0], "the demo firm's workspace").id,
    user_id: present(firm.users[0], "the demo firm's owner").id,
    api_key_id: key_id,
    type: "company.analyze_url" as const,
    input_json: JSON.stringify({ company_url: "https://www.example.com/" }),
    quota: quota.name,
    created_at,
  };
  const decision = decideNewJob(job, `key:${key_id}`, kind.rules);
  const accepted = await host.commit(kind, { ...decision, transition: { ...decision.transition, guards: [quota] } });
  if (accepted.refused) throw new Error(`the demo's job was refused: ${accepted.refused}`);
  const effect = present(accepted.effects[0], "the job's first attempt");
  const begun = { at: created_at + second, actor: "host" };
  await host.deliver(kind, { id, events: [{ type: "BEGIN", attempt: 1 }], context: begun });
  const context = { at: created_at + 4 * second, actor: "host", result: sample, engine };
  await host.deliver(kind, { id, events: [{ type: "SUCCEEDED", attempt: 1 }], context, effect });
  return id;
}

/** Sets the monthly limit of company analyses, and creates one for the first firm. */
export async function prepareJobs(options: DemoOptions, world: DemoWorld): Promise<{ job_id: string }> {
  const act: AuditContext = { actor: operator, at: options.services.runtime.now() };
  const everybody = { firm_id: anybody, subject: anybody, name: "company-analyses" };
  await options.store.write((tx) => limitMonthly(tx, act, everybody, monthlyAnalyses));
  return { job_id: await addJob(options, present(world.firms[0], "the demo's first firm")) };
}
