import type { RunTable } from "../../db/schema/tables.ts";
import { assert } from "../platform/assert.ts";
import { type Detail, Failure, invalid } from "../platform/errors.ts";
import { hasCanonicalForm } from "../platform/json.ts";
import { problems } from "../platform/validate.ts";
import type { OutputItems } from "../registry/contract.ts";
import type { Registry } from "../registry/registry.ts";
import type { StoredRun } from "./record.ts";
import type { ApprovalDecisionRequest, DecidedItem, WaitingItem } from "./schema.ts";

/** Approval of a step's output item by item. The step's declaration defines the items. */

const idOf = (place: number): string => String(place + 1);

const declared = (registry: Registry, { use_case }: RunTable, step: string): OutputItems | undefined =>
  registry.useCases.get(use_case ?? "")?.steps.find(({ key }) => key === step)?.approval_items;

/** Returns the items of an output awaiting approval, for its approvers; empty if it is decided as a whole. */
export const itemsOf = (registry: Registry, row: RunTable, step: string, output: unknown): WaitingItem[] =>
  (declared(registry, row, step)?.labels(output) ?? []).map((label, place) => ({ id: idOf(place), label }));

/** Returns a remark for the approvers about the output as a whole, or `null`. */
export const remarkOn = (registry: Registry, row: RunTable, step: string, output: unknown): string | null =>
  declared(registry, row, step)?.remark?.(output) ?? null;

type Lists = NonNullable<ApprovalDecisionRequest["items"]>;

/** Yields a problem for each item that is unknown, named twice or left out. */
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
 * Returns the decision on each item, in order, or `null` if the output is decided as a whole. Throws `validation_error`
 * if the lists do not match the items or contradict the decision: an undecided item is never delivered.
 */
export function decidedItems(
  items: readonly WaitingItem[],
  { decision, items: lists }: ApprovalDecisionRequest,
): DecidedItem[] | null {
  if (!lists) return null;
  if (items.length === 0)
    throw invalid("/body/items", "must be absent: this output has no items and is decided as a whole");
  const wrong = [...listProblems(items, lists)];
  if (wrong.length > 0) throw new Failure("validation_error", wrong);
  const approved = new Set(lists.approve);
  if (decision === "approve" && approved.size === 0)
    throw invalid("/body/decision", "must be reject, because every item is rejected");
  if (decision === "reject" && approved.size > 0)
    throw invalid("/body/decision", "must be approve, because some items are approved");
  return items.map(({ id }) => ({ id, decision: approved.has(id) ? "approve" : "reject" }));
}

/** Returns the output that an approval delivers: all of it, or the approved items, which must fit the output schema. */
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
