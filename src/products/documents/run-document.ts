import type { Registry } from "../../registry/registry.ts";
import type { Run } from "../../runs/schema.ts";
import type { ReportOutput } from "../market-entry/report.ts";
import { type Document, list, paragraph, type Section, section, table, written } from "./document.ts";
import { findingsOf } from "./findings.ts";

/** A finished run as a document: what was asked, what was found, the evidence, the limitations, and its receipt. */

const shown = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(shown).join(", ") : JSON.stringify(value);

function asked({ input }: Run): Section[] {
  const members = Object.entries(typeof input === "object" && input !== null ? input : {});
  const rows = members.map(([name, value]) => [name, shown(value)]);
  return section("What was asked", null, [
    ...(rows.length === 0 ? [paragraph("The run takes no input.")] : []),
    table("Input of the run", ["Field", "Value"], rows),
  ]);
}

/** The report, where the run made one; else what each succeeded step found. */
function found({ steps, status, status_reason }: Run): Section[] {
  const delivered = steps.filter(({ status: one }) => one === "succeeded");
  const report = delivered.find(({ capability }) => capability === "report");
  const sections = report
    ? (report.result as ReportOutput).sections
    : delivered.flatMap(({ capability, key, result }) => findingsOf(capability, key, result));
  const why = status === "succeeded" ? [] : [paragraph(`The run ${status}: ${status_reason?.message ?? "no reason."}`)];
  return [...section("How it ended", null, why), ...sections];
}

function decided({ approval, steps }: Run): Section[] {
  if (!approval?.decided_at) return [];
  const { decision, decided_by, decided_at, comment, items, approved_sha256 } = approval;
  const title = steps.find(({ key }) => key === approval.step)?.title ?? approval.step;
  const approved = items?.filter((item) => item.decision === "approve").length;
  const share = items ? ` ${approved} of ${items.length} items were approved.` : "";
  return section("What a person decided", null, [
    paragraph(`${title}: ${decision}, by ${decided_by}, at ${decided_at}.${share}`),
    paragraph(comment ? `Reason: ${comment}` : ""),
    paragraph(approved_sha256 ? `SHA-256 of what was approved: ${approved_sha256}` : ""),
  ]);
}

function charged({ steps, charges }: Run): Section[] {
  const rows = steps.map(({ key, title, status, maximum_credits, charged_credits }) => [
    ...[key, title, status, written(maximum_credits), written(charged_credits)],
  ]);
  return section("Steps and credits", null, [
    table("Credits", ["Step", "Title", "Status", "At most", "Charged"], rows),
    paragraph(
      `${written(charges.charged_credits)} credits were charged, ${written(charges.released_credits)} were released.`,
    ),
  ]);
}

function receipt({ id, receipt_url, engine }: Run, baseUrl: string): Section[] {
  return section("Receipt", null, [
    paragraph(`Run ${id}. Signed receipt: ${baseUrl}${receipt_url ?? ""}`),
    paragraph(`Check it with the keys at ${baseUrl}/.well-known/jwks.json, or: assay receipt verify FILE.`),
    paragraph(
      engine ? `Served by ${engine.name} ${engine.version}${engine.model ? `, model ${engine.model}` : ""}.` : "",
    ),
  ]);
}

/** The document of a finished run, as its caller may see it. What waits for approval, or was withheld, is in no part of it. */
export function documentOf(run: Run, registry: Pick<Registry, "useCases" | "capabilities">, baseUrl: string): Document {
  const sold = registry.useCases.get(run.use_case ?? "") ?? registry.capabilities.get(run.capability ?? "");
  return {
    title: sold?.name ?? run.use_case ?? run.capability ?? "Run",
    subtitle: `${sold?.outcome ?? ""}. Run ${run.id}, finished ${run.finished_at}.`,
    sections: [
      ...asked(run),
      ...found(run),
      ...decided(run),
      ...section("Limitations", null, [list(sold?.limitations ?? [])]),
      ...charged(run),
      ...receipt(run, baseUrl),
    ],
  };
}
