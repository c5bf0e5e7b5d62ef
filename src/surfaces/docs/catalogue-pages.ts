import { maximumOf } from "../../products/use-cases/service.ts";
import {
  type CapabilityManifest,
  permissionsOfTools,
  type Tool,
  type UseCaseManifest,
} from "../../registry/contract.ts";
import { exampleInput } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import { code, codes, fieldTable, list, table } from "./markdown.ts";
import type { Page } from "./schema.ts";
import { snippets } from "./snippets.ts";

const sections = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
const section = (title: string, text: string): string => (text === "" ? "" : `## ${title}\n\n${text}`);
const facts = (rows: readonly (readonly [string, string])[]): string => table(["", ""], rows);
const yes = (holds: boolean): string => (holds ? "yes" : "no");

function trialWords({ trial }: CapabilityManifest): string {
  if (!trial.enabled) return "No trial.";
  const { max_runs, restrictions } = trial;
  const bounds = restrictions.length > 0 ? `: ${restrictions.join("; ")}` : "";
  return `${max_runs} ${max_runs === 1 ? "run" : "runs"} a firm with \`mode: trial\`${bounds}.`;
}

function toolText(tool: Tool, whole: CapabilityManifest): string {
  const same = tool.input_schema !== null && Bun.deepEquals(tool.input_schema, whole.input_schema);
  const input = tool.input_schema === null ? "It takes no input." : same ? "Its input is the capability's." : "";
  return sections([
    `### ${tool.name}`,
    `${tool.summary} ${tool.returns} ${input}`.trim(),
    input === "" && tool.input_schema ? fieldTable(tool.input_schema) : "",
    tool.use_when.length > 0 ? `Use it when:\n\n${list(tool.use_when)}` : "",
    tool.do_not_use_when.length > 0 ? `Do not use it when:\n\n${list(tool.do_not_use_when)}` : "",
  ]);
}

function toolsText(manifest: CapabilityManifest): string {
  return sections(manifest.tools.map((tool) => toolText(tool, manifest)));
}

/** Builds the page of a capability from its manifest. */
function capabilityPage(manifest: CapabilityManifest, useCases: readonly UseCaseManifest[]): Page {
  const { slug, pricing, input_schema, output_schema } = manifest;
  const example = exampleInput(manifest);
  return {
    slug,
    title: manifest.name,
    summary: manifest.outcome,
    kind: "capability",
    group: "Capabilities",
    related: [
      ...useCases.filter(({ steps }) => steps.some(({ capability }) => capability === slug)).map((use) => use.slug),
      "product-loop",
      "credits",
    ],
    body: sections([
      manifest.description,
      facts([
        ["Slug", code(slug)],
        ["Version", manifest.semantic_version],
        ["Status", manifest.status],
        ["Exposure", manifest.exposure],
        ["Provider", manifest.provider],
        ["Countries", manifest.countries.join(", ")],
        ["Data", manifest.data_class],
        ["Permissions of its tools and direct route", codes([...permissionsOfTools(manifest)])],
        ["Scope of a run over REST", `${code("capabilities:run")}, or ${code("use-cases:run")} as part of a use case`],
        ["Entitlements of the firm", manifest.entitlements.length > 0 ? codes(manifest.entitlements) : "none"],
        ["Surfaces", manifest.supported_execution_surfaces.join(", ")],
        ["Evidence", manifest.evidence_freshness],
      ]),
      "`runnable` in its record says whether it can be run now.",
      section(
        "Price",
        `${facts([
          ["Model", pricing.model],
          ["Unit", pricing.charging_unit],
          ["Live run", `${pricing.live_credits} credits at most`],
          ["Hard limit", `${pricing.hard_cost_limit_credits} credits`],
          ["Trial", trialWords(manifest)],
        ])}`,
      ),
      section("Input", fieldTable(input_schema)),
      section(
        "Run it",
        example === undefined
          ? ""
          : snippets({
              method: "POST",
              path: `/v1/capabilities/${slug}/runs`,
              isSigned: true,
              isIdempotent: true,
              body: { value: { input: example }, isForm: false },
              answersJson: true,
            }),
      ),
      section("Output", fieldTable(output_schema)),
      section("Tools", toolsText(manifest)),
      section("Sources", list(manifest.sources)),
      section("Limitations", list(manifest.limitations)),
    ]),
  };
}

/** Builds the page of a use case: its steps and the maximum price of each. */
function useCasePage(useCase: UseCaseManifest, sold: ReadonlySet<string>): Page {
  const { slug, steps } = useCase;
  return {
    slug,
    title: useCase.name,
    summary: useCase.outcome,
    kind: "use_case",
    group: "Use cases",
    related: [...new Set(steps.map((step) => step.capability).filter((name) => sold.has(name))), "product-loop"],
    body: sections([
      useCase.description,
      facts([
        ["Slug", code(slug)],
        ["Version", useCase.semantic_version],
        ["Status", useCase.status],
        ["Access", useCase.access],
        ["Category", useCase.category],
        ["Countries", useCase.countries.join(", ")],
        ["Maximum price", `${maximumOf(useCase)} credits`],
        ["Scope of a run", code("use-cases:run")],
        ["Surfaces", useCase.supported_execution_surfaces.join(", ")],
        ["Evidence", useCase.evidence_freshness],
      ]),
      "`execution_blocker` in its record says what, if anything, prevents a run now.",
      section("Delivered results", list(useCase.delivered_results)),
      section(
        "Steps",
        table(
          ["Step", "Capability", "What", "Credits at most", "Human approval"],
          steps.map((step) => [
            code(step.key),
            code(step.capability),
            step.title,
            String(step.maximum_credits),
            yes(step.requires_approval),
          ]),
        ),
      ),
      section("Input", fieldTable(useCase.input_schema)),
      section("Limitations", list(useCase.limitations)),
    ]),
  };
}

/** Builds a page for each use case and each public capability. Capabilities private to a firm are left out. */
export function cataloguePages({ capabilities, useCases }: Registry): Page[] {
  const shown = [...capabilities.values()].filter((manifest) => !manifest.private);
  const slugs = new Set(shown.map((manifest) => manifest.slug));
  const cases = [...useCases.values()];
  return [
    ...shown.map((manifest) => capabilityPage(manifest, cases)),
    ...cases.map((useCase) => useCasePage(useCase, slugs)),
  ];
}
