import type { TObject } from "@sinclair/typebox";
import { notBlank } from "../../platform/schema.ts";
import type { Hints, Tool } from "./tool.ts";

/**
 * A tool in the response of `tools/list`. Every client keeps all tools in its context, so each is described as briefly
 * as possible.
 */
interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  readonly outputSchema?: { readonly type: "object" };
  readonly annotations: { readonly title: string };
}

/**
 * Whether a schema keyword is worth listing. Non-empty strings are enforced without being listed, and titles are
 * internal.
 */
const isTelling = (name: string, value: unknown): boolean =>
  !(name === "pattern" && value === notBlank.pattern) &&
  !(name === "minLength" && value === 1) &&
  !(name === "title" && typeof value === "string");

const inputOf = (input: TObject): ListedTool["inputSchema"] =>
  JSON.parse(JSON.stringify(input, (name, value: unknown) => (isTelling(name, value) ? value : undefined)));

/** States only that there is structured content; its members have descriptive names. */
const someObject = { type: "object" } as const;

/** Returns the annotations. The protocol defines `idempotentHint` only for tools that write. */
const hintsOf = ({ idempotentHint, ...hints }: Hints) => (hints.readOnlyHint ? hints : { ...hints, idempotentHint });

const known = new WeakMap<Tool, ListedTool>();

/** Returns the listing of a tool, computed once: every connection requests the list. */
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
