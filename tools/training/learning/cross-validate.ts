import { present } from "../../../src/platform/assert.ts";

export interface CrossValidation<Item, Fold, Model, Result> {
  /** What must not be split between training and testing. */
  readonly foldOf: (item: Item, at: number) => Fold;
  /** Learns without a fold. */
  readonly fit: (others: readonly Item[], fold: Fold) => Model;
  /** What a model that has not seen the item makes of it. */
  readonly apply: (model: Model, item: Item) => Result;
}

/** The result of each item, in the items' order, by a model that saw nothing of its fold. Training and the bench call it. */
export function crossValidate<Item, Fold, Model, Result>(
  items: readonly Item[],
  { foldOf, fit, apply }: CrossValidation<Item, Fold, Model, Result>,
): Result[] {
  const folds = items.map(foldOf);
  const models = new Map(
    [...new Set(folds)].map((fold) => {
      const others = items.filter((_, at) => folds[at] !== fold);
      return [fold, { model: fit(others, fold) }] as const;
    }),
  );
  return items.map((item, at) => apply(present(models.get(foldOf(item, at)), "the model of a fold").model, item));
}
