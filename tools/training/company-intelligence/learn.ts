import { type LinearModel, sigmoid, sparseLogitOf } from "../../../src/knowledge/learning/linear.ts";
import { findName } from "../../../src/products/capabilities/company-intelligence/name.ts";
import {
  type Candidate,
  featuresOf,
  places,
} from "../../../src/products/capabilities/company-intelligence/offer-features.ts";
import {
  besideFeatures,
  judgedBeside,
  type OfferModel,
} from "../../../src/products/capabilities/company-intelligence/offers.ts";
import { candidatesOf } from "../../../src/products/capabilities/company-intelligence/products.ts";
import { type Example, fitSigned, fitSparse, vectorOf } from "../learning/logistic.ts";
import { phraseExamples } from "./phrases.ts";
import { sameOffer, siteNameOf, siteOf, type Truth, truthsIn } from "./truth.ts";

/** Trains the scorer of offers on labelled home pages. */

interface Labelled extends Candidate {
  readonly features: ReadonlyMap<number, number>;
  /** 1 for an offer in the label, 0 for no offer, a value between for the page's other offers. */
  readonly right: number;
}

export interface LabelledPage {
  readonly truth: Truth;
  readonly candidates: readonly Labelled[];
}

/** Label of the page's other offers, between right and wrong. */
const rightOfOther = 0.5;
/** Weight of a text that is not from a page. */
const weightOfPhrase = 0.5;
const alone = { width: places, penalty: 1e-4, rate: 0.1, epochs: 8 };
const beside = { penalty: 1e-3, rounds: 400 };
/** Number of folds whose models score unseen pages' candidates alone, as input to the second model. */
const innerFolds = 5;

function labelled(folder: string, truth: Truth): LabelledPage[] {
  const site = siteOf(folder, truth);
  if (!site) return [];
  const { candidates, summary } = candidatesOf(site, findName(site).name);
  const isSame = (text: string, offers: readonly string[] = []) => offers.some((offer) => sameOffer(text, offer));
  return [
    {
      truth,
      candidates: candidates.map((candidate) => {
        const other = isSame(candidate.text, truth.also) ? rightOfOther : 0;
        return {
          ...candidate,
          features: featuresOf(candidate, summary),
          right: isSame(candidate.text, truth.products_services) ? 1 : other,
        };
      }),
    },
  ];
}

/** Returns the folders' labelled pages, each site once. `without` names sites to leave out. */
export function labelledPages(folders: readonly string[], without: ReadonlySet<string> = new Set()): LabelledPage[] {
  const seen = new Set(without);
  return folders.flatMap((folder) =>
    truthsIn(folder).flatMap((truth) => {
      const name = siteNameOf(truth);
      if (seen.has(name)) return [];
      seen.add(name);
      return labelled(folder, truth);
    }),
  );
}

/** Splits a label between right and wrong into one example of each, weighted by its share. */
const examplesOf = <X>(x: X, right: number): Example<X>[] =>
  [
    { x, y: true, weight: right },
    { x, y: false, weight: 1 - right },
  ].filter(({ weight }) => weight > 0);

/** The texts of `phrases/`, exported so that the training record can count them. */
export const phrases = phraseExamples(weightOfPhrase);

const fitAlone = (pages: readonly LabelledPage[]): LinearModel =>
  fitSparse(
    [
      ...phrases,
      ...pages.flatMap(({ candidates }) =>
        candidates.flatMap(({ features, right }) => examplesOf(vectorOf(features), right)),
      ),
    ],
    alone,
  );

const aloneOf = (model: LinearModel, { candidates }: LabelledPage): number[] =>
  candidates.map(({ features }) => sigmoid(sparseLogitOf(model, features)));

/** Trains both models. The second uses the scores of models that have not seen the page. */
export function learn(pages: readonly LabelledPage[]): OfferModel {
  const folds = Array.from({ length: innerFolds }, (_, fold) =>
    fitAlone(pages.filter((_, at) => at % innerFolds !== fold)),
  );
  const examples = pages.flatMap((page, at) => {
    const model = folds[at % innerFolds];
    const features = model ? besideFeatures(page.candidates, aloneOf(model, page)) : [];
    return features.flatMap((x, of) => examplesOf<readonly number[]>(x, page.candidates[of]?.right ?? 0));
  });
  const width = examples[0]?.x.length ?? 0;
  const signs = Array.from({ length: width }, () => 0);
  return { alone: fitAlone(pages), beside: fitSigned(examples, { ...beside, signs }) };
}

/** Returns the probabilities of a page's candidates from the features already computed. */
export const judge = (model: OfferModel, page: LabelledPage): number[] =>
  judgedBeside(model, page.candidates, aloneOf(model.alone, page));
