/** Sizes of a decision: a larger one asks each persona more, needs more intent, and costs more. */
export const decisionSizes = ["S", "M", "L", "XL"] as const;
export type DecisionSize = (typeof decisionSizes)[number];

export interface Depth {
  /** Credits per persona interviewed. */
  readonly price: number;
  /** Minimum share that must intend to buy. */
  readonly threshold: number;
  /** Additional framings of the question for each persona. */
  readonly framings: readonly ("loss" | "budget" | "sceptic")[];
  readonly ladder: boolean;
  /** Whether sensitivity to the model's coefficients is analysed. */
  readonly sensitivity: boolean;
  /** Whether other prices and channels are tested and the strongest objection is pressed. */
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

/** Returns the credits for a study with `personas` personas. */
export const costOf = (size: DecisionSize, personas: number): number => depths[size].price * personas;

/** Number of personas and decision size of a capability run and its trial. */
export const runPersonas = 10;
export const runSize: DecisionSize = "M";
