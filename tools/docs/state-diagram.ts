import type { AnyStateMachine, AnyStateNode } from "xstate";

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** A state that is left as soon as it is entered is a choice, not a place to stay. */
const isChoice = (node: AnyStateNode): boolean => (node.always?.length ?? 0) > 0;
const leavesOf = (node: AnyStateNode): AnyStateNode[] =>
  Object.keys(node.states).length === 0 ? [node] : Object.values(node.states).flatMap(leavesOf);
const nameOf = (node: AnyStateNode): string => node.path.join("_");

/** The leaf that is entered with a state. */
function entryOf(node: AnyStateNode): AnyStateNode {
  const initial = node.initial.target?.[0];
  return initial === undefined ? node : entryOf(initial);
}

/** The condition of a transition; without one it is the rest, where its event has others. */
function conditionOf(guard: unknown, others: boolean): string {
  const name = typeof guard === "object" && guard !== null && "type" in guard ? guard.type : guard;
  if (typeof name === "string") return `[${name}]`;
  return others ? "[otherwise]" : "";
}

/** What one event, or none for a choice, makes of a state: its own transitions or those of a state around it. */
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
 * A statechart as Mermaid draws it, flat: a transition of an outer state is drawn at each state inside it. Events that
 * lead from one state to the same other one share an arrow.
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
