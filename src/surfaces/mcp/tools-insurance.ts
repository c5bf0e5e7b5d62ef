import { Type as T } from "@sinclair/typebox";
import { isScope } from "../../contracts/scopes.ts";
import { AskRequest, type AskResponse } from "../../products/insurance/schema.ts";
import type { Insurance } from "../../products/insurance/service.ts";
import type { CapabilityManifest, Tool as CatalogueTool } from "../../registry/contract.ts";
import type { Registry } from "../../registry/registry.ts";
import { reading, type Tool, tool } from "./tool.ts";

/** The main members of an answer with citations, which matches the capability's output schema. */
const InsuranceAnswer = T.Object({
  answer: T.String(),
  trust_state: T.String(),
  sources: T.Array(T.Object({ id: T.String(), title: T.String(), excerpt: T.String() })),
});

function textOf({ answer, trust_state, sources }: Pick<AskResponse, "answer" | "trust_state" | "sources">): string {
  const cited = sources.map(({ title, version, heading, page, url }, i) => {
    const place = [title, version && `version ${version}`, heading, page === null ? null : `page ${page}`];
    return `[${i + 1}] ${place.filter(Boolean).join(", ")}${url ? ` ${url}` : ""}`;
  });
  return [`${trust_state}: ${answer}`, ...cited].join("\n");
}

/** Services used by the insurance tool. */
export interface InsuranceToolServices {
  readonly insurance: Insurance;
  readonly registry: Registry;
}

const asking = (
  { insurance }: InsuranceToolServices,
  { engine, permissions }: CapabilityManifest,
  sold: CatalogueTool,
): Tool =>
  tool({
    name: sold.name,
    title: sold.title,
    description: sold.summary,
    scopes: permissions.filter(isScope),
    hints: reading,
    advice: {
      quota_exceeded:
        "Stop. This month's questions are used up. Ask the account's owner: the operator can raise the limit.",
    },
    offered: () => engine.ready() === null,
    input: AskRequest,
    output: InsuranceAnswer,
    async run(question, { principal, signal }) {
      // The contract's output schema, which clients validate answers with, has no `engine`.
      const { engine: _, ...value } = await insurance.ask(principal, question, signal);
      return { value, text: textOf(value) };
    },
  });

/**
 * The insurance assistant as a tool, free of charge and answered at once, within the user's monthly quota of questions.
 */
export function insuranceTools(services: InsuranceToolServices): Tool[] {
  const manifest = services.registry.capabilities.get("insurance-assistant");
  const sold = manifest?.tools[0];
  return manifest && sold ? [asking(services, manifest, sold)] : [];
}
