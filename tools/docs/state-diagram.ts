import type { AnyStateMachine, AnyStateNode } from "xstate";

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Whether a state is a choice: one that is left as soon as it is entered. */
const isChoice = (node: AnyStateNode): boolean => (node.always?.length ?? 0) > 0;
const leavesOf = (node: AnyStateNode): AnyStateNode[] =>
  Object.keys(node.states).length === 0 ? [node] : Object.values(node.states).flatMap(leavesOf);
const nameOf = (node: AnyStateNode): string => node.path.join("_");

/** Returns the leaf that is entered with a state. */
function entryOf(node: AnyStateNode): AnyStateNode {
  const initial = node.initial.target?.[0];
  return initial === undefined ? node : entryOf(initial);
}

/** Returns a transition's condition; one without a guard is `otherwise` if its event has other transitions. */
function conditionOf(guard: unknown, others: boolean): string {
  const name = typeof guard === "object" && guard !== null && "type" in guard ? guard.type : guard;
  if (typeof name === "string") return `[${name}]`;
  return others ? "[otherwise]" : "";
}

/** Returns a state's transitions for one event (or for no event, if it is a choice) as arrows. */
function arrowsOf(leaf: AnyStateNode, event: string, transitions: AnyStateNode["always"] = []): Arrow[] {
  return transitions.map(({ guard, target = [] }) => ({
    from: nameOf(leaf),
    to: nameOf(entryOf(target[0] ?? leaf)),
    label: `${event} ${conditionOf(guard, transitions.length > 1)}`.trim(),
  }));
}

function allArrowsOf(leaf: AnyStateNode): Arrow[] {
  if (isChoice(leaf)) return arrowsOf(leaf, "", leaf.always);
  const around: AnyStateNode[] = [];
  for (let node: AnyStateNode | undefined = leaf; node; node = node.parent) around.push(node);
  return around.flatMap(({ transitions }) => [...transitions].flatMap(([event, list]) => arrowsOf(leaf, event, list)));
}

function declaration(leaf: AnyStateNode): string[] {
  if (isChoice(leaf)) return [`  state ${nameOf(leaf)} <<choice>>`];
  return leaf.path.length > 1 ? [`  state "${leaf.path.join(": ")}" as ${nameOf(leaf)}`] : [];
}

/**
 * Returns a statechart as a flat Mermaid diagram: a transition of an outer state is drawn at each of its inner states.
 * Events with the same source and target share an arrow.
 */
export function stateDiagram(machine: AnyStateMachine): string {
  const leaves = leavesOf(machine.root);
  const shared = Map.groupBy(leaves.flatMap(allArrowsOf), ({ from, to }) => `${from} --> ${to}`);
  return [
    "stateDiagram-v2",
    ...leaves.flatMap(declaration),
    `  [*] --> ${nameOf(entryOf(machine.root))}`,
    ...[...shared].map(([arrow, group]) => `  ${arrow}: ${group.map(({ label }) => label).join(", ")}`),
    ...leaves.filter(({ type }) => type === "final").map((node) => `  ${nameOf(node)} --> [*]`),
  ].join("\n");
}
