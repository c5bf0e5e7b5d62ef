import { Type as T } from "@sinclair/typebox";
import { closed, enumeration } from "../../platform/schema.ts";
import { Intake } from "../../products/architect/schema.ts";
import type { Architect } from "../../products/architect/service.ts";
import { reading, type Tool, tool } from "./tool.ts";

/** Services used by the architect's tools. */
export interface ArchitectToolServices {
  readonly architect: Architect;
}

const scopes = ["account:read"] as const;

/** The architect's tools. Only the intake writes: nothing is saved, chosen or unlocked over MCP. */
export const architectTools = ({ architect }: ArchitectToolServices): Tool[] => [
  tool({
    name: "start_solution",
    title: "Start a solution",
    description: "Start a solution from a firm's goals. Returns the needs recognised and the open questions. Free.",
    scopes,
    hints: { ...reading, readOnlyHint: false, idempotentHint: false },
    input: Intake,
    output: T.Object({ solution_id: T.String(), completeness: T.Number() }, { additionalProperties: true }),
    async run(intake, { principal }) {
      // The link's token is a secret for its holder, so it is not shown to a model.
      const { resume_token: _, ...value } = await architect.intake(principal, intake);
      const open = value.missing.map(({ question }) => `- ${question}`);
      const needs = value.needs.map(({ id, title }) => `- ${id}: ${title}`);
      return { value, text: [`Solution ${value.solution_id}. Needs:`, ...needs, "Open:", ...open].join("\n") };
    },
  }),
  tool({
    name: "get_solution",
    title: "Read a solution",
    description: "Read a solution's blueprint, design, recommendations or whole document, at current prices.",
    scopes,
    hints: reading,
    input: closed({
      solution_id: T.String({ format: "uuid", description: "From start_solution." }),
      part: {
        ...enumeration("blueprint", "design", "recommendations", "document"),
        description: "Which part to read.",
      },
    }),
    output: T.Object({ solution_id: T.String() }, { additionalProperties: true }),
    async run({ solution_id, part }, { principal }) {
      if (part === "document") {
        const value = await architect.compose(principal, solution_id);
        return { value, text: value.markdown };
      }
      const parts = {
        blueprint: architect.blueprint,
        design: architect.currentDesign,
        recommendations: architect.recommendations,
      } as const;
      const value = await parts[part](principal, solution_id);
      return { value, text: JSON.stringify(value) };
    },
  }),
];
