import { problems } from "../../platform/validate.ts";
import type { UseCaseManifest } from "../../registry/contract.ts";
import { isVisible, type Registry } from "../../registry/registry.ts";
import { byExpiry, withheldIn } from "../../runs/record.ts";
import type { Run } from "../../runs/schema.ts";
import { type AnswerLanguage, answerLanguages } from "../datasets/question-language.ts";
import { type ReportOutput, reportIn } from "../market-entry/report.ts";
import { ReportInput } from "../market-entry/schema.ts";
import { type Document, list, paragraph, type Section, section, table } from "./document.ts";
import { findingsOf } from "./findings.ts";
import { type Voice, voiceIn } from "./voice.ts";

/** Renders a finished run as a document: input, findings, evidence, limitations and receipt. */

const shown = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(shown).join(", ") : JSON.stringify(value);

const deliveredIn = ({ steps }: Run) => steps.filter(({ status }) => status === "succeeded");

/**
 * Returns the language of a run's findings, from its results or its input; `undefined` if neither states a supported
 * one.
 */
export function languageOfRun(run: Run): AnswerLanguage | undefined {
  const told = [...deliveredIn(run).map(({ result }) => result), run.input].map((value) =>
    typeof value === "object" && value !== null && "language" in value ? value.language : undefined,
  );
  return answerLanguages.find((language) => language === told.find((one) => one !== undefined));
}

function asked({ input }: Run, { say }: Voice): Section[] {
  const members = Object.entries(typeof input === "object" && input !== null ? input : {});
  const rows = members.map(([name, value]) => [name, shown(value)]);
  return section(say("asked"), null, [
    ...(rows.length === 0 ? [paragraph(say("no_input"))] : []),
    table(say("input"), [say("field"), say("value")], rows),
  ]);
}

/** Returns the report in the document's language, or as stored if the current manifest can't reproduce its input. */
function reported(run: Run, stored: ReportOutput, useCase: UseCaseManifest | undefined, voice: Voice): Section[] {
  const step = useCase?.steps.find(({ capability }) => capability === "report");
  const earlier = Object.fromEntries(deliveredIn(run).map(({ key, result }) => [key, result]));
  const input = step?.input?.(run.input, earlier, withheldIn(run.approval, run.steps));
  return problems(ReportInput, input, "").length > 0 ? stored.sections : reportIn(input as ReportInput, voice).sections;
}

/** Returns the run's report if it made one, otherwise the findings of each succeeded step. */
function found(run: Run, useCase: UseCaseManifest | undefined, voice: Voice): Section[] {
  const { say } = voice;
  const { status, status_reason } = run;
  const delivered = deliveredIn(run);
  const report = delivered.find(({ capability }) => capability === "report");
  const sections = report
    ? reported(run, report.result as ReportOutput, useCase, voice)
    : delivered.flatMap(({ capability, key, result }) => findingsOf(capability, key, result, voice));
  const reason = status_reason ? voice.own(status_reason.message) : say("no_reason");
  const why = status === "succeeded" ? [] : [paragraph(say("run_ended", { status: statusIn(status, voice), reason }))];
  return [...section(say("how_it_ended"), null, why), ...sections];
}

const named = ["succeeded", "failed", "refused", "withheld", "skipped"] as const;

/** Returns how a run or step ended, in words; an unknown status stays a code. */
function statusIn(status: string, { say }: Voice): string {
  const known = named.find((one) => one === status);
  return known ? say(known) : status;
}

function decided({ approval, steps }: Run, { say, date, own }: Voice, by: string): Section[] {
  if (!approval?.decided_at || !approval.decision) return [];
  const { decision, decided_by, decided_at, comment, items, approved_sha256: hash } = approval;
  const title = own(steps.find(({ key }) => key === approval.step)?.title ?? approval.step);
  const approved = items?.filter((item) => item.decision === "approve").length ?? 0;
  const share = items ? ` ${say("items_approved", { approved, all: items.length })}` : "";
  const verdict = { title, decision: say(decision), by, at: date(decided_at) };
  if (decided_by === byExpiry) return section(say("decided"), null, [paragraph(say("expired", verdict))]);
  return section(say("decided"), null, [
    paragraph(`${say("decision", verdict)}${share}`),
    paragraph(comment ? say("decision_reason", { comment }) : ""),
    paragraph(hash ? say("approved_hash", { hash }) : ""),
  ]);
}

function charged({ steps, charges }: Run, voice: Voice): Section[] {
  const { say, number } = voice;
  const rows = steps.map(({ key, title, status, maximum_credits, charged_credits }) => [
    ...[key, voice.own(title), statusIn(status, voice), number(maximum_credits), number(charged_credits)],
  ]);
  const { charged_credits, released_credits } = charges;
  return section(say("steps_and_credits"), null, [
    table(say("credits"), [say("step"), say("title"), say("status"), say("at_most"), say("charged")], rows),
    paragraph(say("charges", { charged: number(charged_credits), released: number(released_credits) })),
  ]);
}

function receipt(run: Run, { say }: Voice, baseUrl: string): Section[] {
  const { id, receipt_url, engine } = run;
  const served = (): string => {
    // A run whose steps were all cancelled was not served by the engine.
    if (!engine || deliveredIn(run).length === 0) return "";
    const { name, version, model } = engine;
    return model ? say("served_by_model", { name, version, model }) : say("served_by", { name, version });
  };
  return section(say("receipt"), null, [
    paragraph(say("signed_receipt", { id, url: `${baseUrl}${receipt_url ?? ""}` })),
    paragraph(say("check_receipt", { url: `${baseUrl}/.well-known/jwks.json` })),
    paragraph(served()),
  ]);
}

/**
 * Returns the document of a finished run as its caller may see it, with headings and fixed texts in the language.
 * Output that awaits approval or was withheld is never included. `held`: the entitlements of the run's firm. `decider`:
 * the display name of the person who decided its approval.
 */
export function documentOf(
  run: Run,
  registry: Pick<Registry, "useCases" | "capabilities">,
  baseUrl: string,
  language: AnswerLanguage,
  { held, decider }: { readonly held: readonly string[]; readonly decider: string },
): Document {
  const voice = voiceIn(language);
  const { say } = voice;
  const useCase = registry.useCases.get(run.use_case ?? "");
  const capability = registry.capabilities.get(run.capability ?? "");
  // A removed connector's slug may now be another firm's.
  const sold = useCase ?? (capability && isVisible(capability, held) ? capability : undefined);
  const limitations = sold?.limitations ?? [];
  return {
    language,
    title: sold?.name ?? run.use_case ?? run.capability ?? say("run"),
    subtitle: [
      // Something that the firm can no longer see, such as a removed connector, has no outcome.
      ...(sold ? [`${voice.own(sold.outcome)}.`] : []),
      say("subtitle", { id: run.id, at: voice.date(run.finished_at) }),
    ].join(" "),
    sections: [
      ...asked(run, voice),
      ...found(run, useCase, voice),
      ...decided(run, voice, decider),
      ...section(say("limitations"), null, [
        paragraph(limitations.every(voice.knows) ? "" : say("limitations_wording")),
        list(limitations.map(voice.own)),
      ]),
      ...charged(run, voice),
      ...receipt(run, voice, baseUrl),
    ],
  };
}
