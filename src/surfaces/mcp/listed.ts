import type { TObject } from "@sinclair/typebox";
import { notBlank } from "../../platform/schema.ts";
import type { Hints, Tool } from "./tool.ts";

/** A tool as `tools/list` shows it. Every client carries all of them along, so that each says no more than it must. */
interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  readonly outputSchema?: { readonly type: "object" };
  readonly annotations: { readonly title: string };
}

/** That something is to be said is checked, and need not be told; nor what we call the whole. */
const isTelling = (name: string, value: unknown): boolean =>
  !(name === "pattern" && value === notBlank.pattern) &&
  !(name === "minLength" && value === 1) &&
  !(name === "title" && typeof value === "string");

const inputOf = (input: TObject): ListedTool["inputSchema"] =>
  JSON.parse(JSON.stringify(input, (name, value: unknown) => (isTelling(name, value) ? value : undefined)));

/** That an answer has structured content is all that is told: what is in it, the answer's own names say. */
const someObject = { type: "object" } as const;

/** The protocol gives `idempotentHint` a meaning for what writes alone. */
const hintsOf = ({ idempotentHint, ...hints }: Hints) => (hints.readOnlyHint ? hints : { ...hints, idempotentHint });

const known = new WeakMap<Tool, ListedTool>();

/** Made once for each tool: a list is asked for with every connection. */
export function listed(tool: Tool): ListedTool {
  const { name, title, description, input, output, hints } = tool;
  const before = known.get(tool);
  if (before) return before;
  const made = {
    name,
    description,
    inputSchema: inputOf(input),
    ...(output && { outputSchema: someObject }),
    annotations: { title, ...hintsOf(hints) },
  };
  known.set(tool, made);
  return made;
}
