import { insertAudience } from "../../db/queries/audiences.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import { createControl } from "../execution/control.ts";
import { createActorWatch } from "../execution/watch.ts";
import { openKeyring } from "../identity/keyring.ts";
import { present } from "../platform/assert.ts";
import { day, hour, minute, second } from "../platform/clock.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { studyPath } from "../products/validator/conductor.ts";
import { decideNewValidation } from "../products/validator/decide.ts";
import { languageOf } from "../products/validator/hypothesis.ts";
import { embeddedInterviewer } from "../products/validator/interviewer.ts";
import { createValidationKind } from "../products/validator/kind.ts";
import { ValidationPerformer } from "../products/validator/perform.ts";
import { runPersonas, runSize } from "../products/validator/sizes.ts";
import { seedOf } from "../products/validator/study.ts";
import { withEngine } from "../registry/registry.ts";
import { newRun } from "../runs/accept.ts";
import { decideNewRun } from "../runs/decide.ts";
import { capabilityPlan } from "../runs/plan.ts";
import { hypotheses } from "./examples.ts";
import { type Hosted, hostOf, type PastRun, personOf } from "./history.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

const slug = "market-validator";
const described = {
  name: "Young families in towns",
  description: "Young families with children who live in a town.",
  market: "CZ",
};

async function addAudience({ store, services }: DemoOptions, firm: DemoFirm, at: number): Promise<string> {
  const id = services.runtime.id(at);
  const workspace_id = present(firm.workspaces[0], "the demo firm's workspace").id;
  const user_id = present(firm.users[0], "the demo firm's owner").id;
  const row = { ...described, id, firm_id: firm.id, workspace_id, user_id, size: runPersonas, created_at: at };
  await store.write((tx) => insertAudience.run(tx, { ...row, source: "described" }));
  return id;
}

/** Creates a study and takes it to its verdict through the real statecharts. Returns its id. */
async function addStudy(
  options: DemoOptions,
  { host, kind: runKind }: Hosted,
  firm: DemoFirm,
  { audience_id, hypothesis, at }: { audience_id: string; hypothesis: string; at: number },
): Promise<string> {
  const { store, services, baseUrl } = options;
  const { runtime, log } = services;
  const definition = options.capabilities.find((capability) => capability.slug === slug);
  const manifest = withEngine(present(definition, "the validator"), services);
  const principal = personOf(firm);
  const { user_id, firm_id } = principal;
  const workspace_id = present(firm.workspaces[0], "the demo firm's workspace").id;
  const id = runtime.id(at);
  const asked = { hypothesis, market: described.market, audience_text: described.description };
  const study = { ...asked, decision_size: runSize, size: runPersonas };
  const input = { hypothesis, market: described.market, audience_id };
  const input_json = canonical(input);
  const plan = capabilityPlan(manifest, "live");
  const submission = {
    principal,
    plan,
    input,
    mode: "live" as const,
    workspace_id,
    surface: "rest",
  };
  const made = newRun(submission, { id, input_json, input_sha256: sha256Hex(input_json), at });
  const begun = decideNewRun(made, [{ type: "START" }], { at, actor: `user:${user_id}` }, runKind.rules);
  const run = await host.commit(runKind, begun);
  if (run.refused) throw new Error(`the demo's study was refused: ${run.refused}`);

  const kind = createValidationKind(store, { random: runtime.random, owner: "demo" }, createActorWatch());
  const performer = new ValidationPerformer({ store, host, kind, interviewer: embeddedInterviewer, runtime, log });
  const owner = { id, firm_id, workspace_id, user_id, mode: "live" as const, created_at: at };
  const words = { seed: seedOf(study), language: languageOf(hypothesis) };
  const named = { audience_id, audience_name: described.name, audience_market: described.market };
  await host.commit(kind, decideNewValidation({ ...owner, ...study, ...words, ...named }, "host"));
  const drawing = await host.deliver(kind, { id, events: [{ type: "BEGIN" }], context: { at, actor: "host" } });
  let effects: readonly EffectTable[] = drawing && !drawing.refused ? drawing.effects : [];
  for (let [next] = effects; next; [next] = effects) effects = await performer.carryOut(next, createControl());

  const { row } = await kind.load(id);
  const result = {
    status: row.status,
    verdict: row.verdict,
    confidence: row.confidence,
    result_reference: baseUrl + studyPath(id),
  };
  await host.deliver(runKind, {
    id,
    known: run.state,
    effect: present(run.effects[0], "the step's effect"),
    events: [{ type: "STEP_SUCCEEDED", step: slug, credits: manifest.pricing.live_credits }],
    context: { at: at + second, actor: "host", result, engine: embeddedInterviewer.identity },
  });
  return id;
}

/** Creates the first firm's audience and returns its studies, still to be created. The newest one is named. */
export async function prepareStudies(
  options: DemoOptions,
  world: DemoWorld,
): Promise<{ readonly audience: Record<string, string>; readonly studies: readonly PastRun[] }> {
  if (!options.capabilities.some((capability) => capability.slug === slug)) return { audience: {}, studies: [] };
  const { store, services, masterKey, baseUrl } = options;
  const hosted = hostOf(options, await openKeyring(store, masterKey, baseUrl, services.runtime));
  const firm = present(world.firms[0], "the demo's first firm");
  const newest = services.runtime.now() - hour + minute;
  const audience_id = await addAudience(options, firm, newest - 29 * day);
  const studies = hypotheses.map((hypothesis, i): PastRun => {
    const at = newest - (hypotheses.length - 1 - i) * 9 * day;
    const make = () => addStudy(options, hosted, firm, { audience_id, hypothesis, at });
    return { at, make, isCharged: true, ...(i === hypotheses.length - 1 && { named: "simulation_id" }) };
  });
  return { audience: { audience_id }, studies };
}
