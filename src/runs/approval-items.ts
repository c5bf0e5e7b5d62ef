import type { RunTable } from "../../db/schema/tables.ts";
import { assert } from "../platform/assert.ts";
import { type Detail, Failure, invalid } from "../platform/errors.ts";
import { hasCanonicalForm } from "../platform/json.ts";
import { problems } from "../platform/validate.ts";
import type { OutputItems } from "../registry/contract.ts";
import type { Registry } from "../registry/registry.ts";
import type { StoredRun } from "./record.ts";
import type { ApprovalDecisionRequest, DecidedItem, WaitingItem } from "./schema.ts";

/** Deciding a step's output item by item: the step's declaration says what its items are. */

const idOf = (place: number): string => String(place + 1);

const declared = (registry: Registry, { use_case }: RunTable, step: string): OutputItems | undefined =>
  registry.useCases.get(use_case ?? "")?.steps.find(({ key }) => key === step)?.approval_items;

/** What a waiting output consists of, for its approvers; empty where it is decided as a whole. */
export const itemsOf = (registry: Registry, row: RunTable, step: string, output: unknown): WaitingItem[] =>
  (declared(registry, row, step)?.labels(output) ?? []).map((label, place) => ({ id: idOf(place), label }));

/** What its approvers have to know of a waiting output as a whole; null: nothing. */
export const remarkOn = (registry: Registry, row: RunTable, step: string, output: unknown): string | null =>
  declared(registry, row, step)?.remark?.(output) ?? null;

type Lists = NonNullable<ApprovalDecisionRequest["items"]>;

/** Where the lists name an item that there is not, or one twice, or leave one out. */
function* listProblems(items: readonly WaitingItem[], { approve = [], reject = [] }: Lists): Generator<Detail> {
  const known = new Set(items.map(({ id }) => id));
  const seen = new Set<string>();
  for (const [list, ids] of Object.entries({ approve, reject }))
    for (const [i, id] of ids.entries()) {
      const path = `/body/items/${list}/${i}`;
      if (!known.has(id)) yield { path, message: `there is no item ${JSON.stringify(id)}` };
      else if (seen.has(id)) yield { path, message: `item ${id} is named twice` };
      seen.add(id);
    }
  for (const id of known) if (!seen.has(id)) yield { path: "/body/items", message: `item ${id} is in neither list` };
}

/**
 * What is decided of each item, in their order; null where the output is decided as a whole. Throws `validation_error`
 * where the lists don't fit the items or contradict the decision: what nobody has decided is never delivered.
 */
export function decidedItems(
  items: readonly WaitingItem[],
  { decision, items: lists }: ApprovalDecisionRequest,
): DecidedItem[] | null {
  if (!lists) return null;
  if (items.length === 0) throw invalid("/body/items", "this output has no items: decide it as a whole, without items");
  const wrong = [...listProblems(items, lists)];
  if (wrong.length > 0) throw new Failure("validation_error", wrong);
  const approved = new Set(lists.approve);
  if (decision === "approve" && approved.size === 0)
    throw invalid("/body/decision", "every item is rejected: the decision is reject");
  if (decision === "reject" && approved.size > 0)
    throw invalid("/body/decision", "items are approved: the decision is approve");
  return items.map(({ id }) => ({ id, decision: approved.has(id) ? "approve" : "reject" }));
}

/** The output that an approval delivers: all of it, or only what was approved. It keeps the capability's contract. */
export function approvedOutput(
  registry: Registry,
  { row, steps }: StoredRun,
  key: string,
  items: readonly DecidedItem[] | null,
): unknown {
  const step = steps.find((one) => one.key === key);
  const output = step?.result ?? null;
  const places = items?.flatMap(({ decision }, place) => (decision === "approve" ? [place] : []));
  if (!places || places.length === items?.length) return output;
  const part = declared(registry, row, key)?.only(output, places);
  const schema = registry.capabilities.get(step?.capability ?? "")?.output_schema;
  assert(
    hasCanonicalForm(part) && (!schema || problems(schema, part, "").length === 0),
    "a part of an output fits its schema",
  );
  return part;
}
