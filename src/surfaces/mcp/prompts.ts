/**
 * The product loop as prompts: discover, quote, run, reconcile. Each leads to the next; the architect comes before it.
 */

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The resource template whose slugs complete the argument. */
  readonly template?: string;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Returns the prompt with its arguments filled in. */
  readonly text: (values: Readonly<Record<string, string>>) => string;
}

const argument = (name: string, description: string, template?: string): PromptArgument => ({
  name,
  description,
  required: true,
  ...(template !== undefined && { template }),
});

/** In the order of the loop, then the standalone ones. */
export const prompts: readonly Prompt[] = [
  {
    name: "discover",
    title: "Find products for a goal",
    description: "Search use cases and capabilities for a goal, and compare price and limits.",
    arguments: [argument("goal", "The goal to achieve, in one sentence.")],
    text: ({ goal }) =>
      `Find products that serve this goal: ${goal}\n\nCall list_use_cases and list_capabilities, and read the candidates with get_doc or get_capability. Show at most three, each with what it delivers, its maximum cost in credits, its limitations, and whether it can be run now. Run nothing and spend nothing.`,
  },
  {
    name: "quote",
    title: "Quote a use case",
    description: "Collect the input of a use case, and get the current maximum price.",
    arguments: [argument("use_case", "The slug of a use case.", "assay://use-cases/{slug}")],
    text: ({ use_case }) =>
      `Read assay://use-cases/${use_case} (or get_doc with the slug ${use_case}) for its input. Ask me for anything required that is missing; make nothing up. Then call quote_use_case and show the maximum price, the steps, whether a person has to approve it, and whether it can be run now. A quote reserves nothing. Ask me before anything is run; then call run_use_case once, with the quote's id.`,
  },
  {
    name: "run",
    title: "Run a capability",
    description: "Check price and limits, ask for consent, then run once.",
    arguments: [argument("capability", "The slug of a capability.", "assay://capabilities/{slug}")],
    text: ({ capability }) =>
      `Call get_capability with the slug ${capability}. Tell me maximum_run_credits and the limitations, collect the input, and wait for my consent. Then call its tool once. If the answer has a poll member, check again with get_run; never start it a second time. An error says what to do next.`,
  },
  {
    name: "reconcile",
    title: "Reconcile a run",
    description: "Report status, result and actual charges of a run.",
    arguments: [argument("run_id", "The id of a run.")],
    text: ({ run_id }) =>
      `Call get_run with run_id ${run_id} until it has ended or is waiting for a person. Report its status, the result with its sources and limits, and the credits actually charged compared with the maximum; get_credits shows what is left. If it is waiting for an approval, say who has to give it; you can't.`,
  },
  {
    name: "architect",
    title: "Plan a solution",
    description: "From goals to a priced solution: ask what is missing, compare, and show the document.",
    arguments: [argument("goal", "The goal to achieve, in one sentence.")],
    text: ({ goal }) =>
      `Plan a solution for this goal: ${goal}\n\nAsk me for the company, its country and industry, constraints, channels, data sources, budget in credits, and my consent to a link; make nothing up. Call start_solution, and ask me the questions that it returns. Then call get_solution for recommendations, and for the document. Show the options with their score parts and prices, and say plainly which needs no product serves. Run nothing and spend nothing.`,
  },
];
