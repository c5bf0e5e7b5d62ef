/** The sizes of a decision: a larger one asks more of each persona, needs more intent, and costs more. */
export const decisionSizes = ["S", "M", "L", "XL"] as const;
export type DecisionSize = (typeof decisionSizes)[number];

export interface Depth {
  /** Credits for each persona that was interviewed. */
  readonly price: number;
  /** The share that must intend to buy. */
  readonly threshold: number;
  /** How differently each persona is asked. */
  readonly framings: readonly ("loss" | "budget" | "sceptic")[];
  readonly ladder: boolean;
  /** Analysis of how much hangs on the model's coefficients. */
  readonly sensitivity: boolean;
  /** Other prices and channels, and the strongest objection pressed. */
  readonly alternatives: boolean;
}

export const depths: Readonly<Record<DecisionSize, Depth>> = {
  S: { price: 25, threshold: 0.15, framings: [], ladder: false, sensitivity: false, alternatives: false },
  M: { price: 50, threshold: 0.2, framings: [], ladder: true, sensitivity: false, alternatives: false },
  L: { price: 100, threshold: 0.25, framings: ["loss"], ladder: true, sensitivity: true, alternatives: false },
  XL: {
    price: 200,
    threshold: 0.3,
    framings: ["loss", "budget", "sceptic"],
    ladder: true,
    sensitivity: true,
    alternatives: true,
  },
};

/** Credits for a study of so many personas. */
export const costOf = (size: DecisionSize, personas: number): number => depths[size].price * personas;

/** What a capability run interviews, and its trial. */
export const runPersonas = 10;
export const runSize: DecisionSize = "M";
