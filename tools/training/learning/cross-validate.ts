import { present } from "../../../src/platform/assert.ts";

export interface CrossValidation<Item, Fold, Model, Result> {
  /** Returns an item's group, which must not be split between training and testing. */
  readonly foldOf: (item: Item, at: number) => Fold;
  /** Trains without a fold. */
  readonly fit: (others: readonly Item[], fold: Fold) => Model;
  /** Applies a model that has not seen the item. */
  readonly apply: (model: Model, item: Item) => Result;
}

/** Returns each item's result, in order, from a model trained without its fold, for training and the bench. */
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
