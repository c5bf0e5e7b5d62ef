import { anybody } from "../../db/queries/limits.ts";
import { type AuditContext, operator } from "../accounts/admin/audit-context.ts";
import { limitMonthly } from "../accounts/admin/permissions.ts";
import { useMonthly } from "../execution/usage/quota.ts";
import { createJobActors } from "../jobs/actor.ts";
import { present } from "../platform/assert.ts";
import { hour, second } from "../platform/clock.ts";
import { newIdAt } from "../platform/ids.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

/** Company analyses that each key of the demo may submit in a month. */
const monthlyAnalyses = 100;

/** Nobody's profile: it was written down for the demo, and no page was read for it. */
const sample = {
  company_name: "SYNTHETIC Example Brokers",
  target_audience: "SYNTHETIC: owners of small workshops",
  products_services: ["SYNTHETIC: liability insurance", "SYNTHETIC: fleet insurance"],
  market: "SYNTHETIC: Czechia",
};
const engine = { name: "synthetic-sample", version: "1.0.0", model: null };

/** A finished company analysis of the firm's first key, made without a network. Answers its id. */
function addJob({ store, services: { clock } }: DemoOptions, firm: DemoFirm): Promise<string> {
  const actors = createJobActors(Math.random);
  const created_at = clock.now() - hour;
  const key_id = present(firm.seeded.key_id ?? undefined, "the demo firm's first key");
  const owner = {
    firm_id: firm.id,
    workspace_id: present(firm.workspaces[0], "the demo firm's workspace").id,
    user_id: present(firm.users[0], "the demo firm's owner").id,
    api_key_id: key_id,
  };
  const id = newIdAt(created_at);
  const input_json = JSON.stringify({ company_url: "https://www.example.com/" });
  return store.write(async (tx) => {
    const counted = { firm_id: firm.id, subject: `key:${key_id}`, name: "company-analyses" as const };
    const quota = await useMonthly(tx, counted, created_at);
    const job = { id, ...owner, type: "company.analyze_url" as const, input_json, quota, created_at };
    const { effects } = await actors.create(tx, job, `key:${key_id}`);
    const effect = present(effects[0], "the job's first attempt");
    const host = (at: number) => ({ at, actor: "host" });
    await actors.tell(tx, id, { type: "BEGIN", attempt: 1 }, host(created_at + second));
    const note = { ...host(created_at + 4 * second), result: sample, engine };
    await actors.conclude(tx, effect, { type: "SUCCEEDED", attempt: 1 }, note);
    return id;
  });
}

/** Limits company analyses as the demo promises, and makes one to look at for the first firm. */
export async function prepareJobs(options: DemoOptions, world: DemoWorld): Promise<{ job_id: string }> {
  const act: AuditContext = { actor: operator, at: options.services.clock.now() };
  const everybody = { firm_id: anybody, subject: anybody, name: "company-analyses" };
  await options.store.write((tx) => limitMonthly(tx, act, everybody, monthlyAnalyses));
  return { job_id: await addJob(options, present(world.firms[0], "the demo's first firm")) };
}
