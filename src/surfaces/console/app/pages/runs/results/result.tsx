import { type ComponentType, lazy, Suspense } from "react";
import { Loading } from "../../../shared/states.tsx";
import { Structured } from "../../../shared/structured.tsx";
import type { ResultProps, Slug } from "./shapes.ts";

const CitedAnswer = lazy(() => import("./cited-answer.tsx"));
const Claims = lazy(() => import("./claims.tsx"));
const Findings = lazy(() => import("./findings.tsx"));
const Market = lazy(() => import("./market.tsx"));
const Germany = lazy(() => import("./germany.tsx"));
const Company = lazy(() => import("./company.tsx"));
const Distribution = lazy(() => import("./distribution.tsx"));
const Structure = lazy(() => import("./structure.tsx"));
const Talent = lazy(() => import("./talent.tsx"));
const Targets = lazy(() => import("./targets.tsx"));
const Verdict = lazy(() => import("./verdict.tsx"));

/** The component for each capability's result. Results of others are shown as generic data. */
const forms: { readonly [S in Slug]?: ComponentType<ResultProps<S>> } = {
  "insurance-assistant": CitedAnswer,
  "exa-filter": Claims,
  "afa-assurance": Findings,
  "eu-market-data": Market,
  "germany-market-intelligence": Germany,
  "market-validator": Verdict,
  "company-intelligence": Company,
  "distribution-intelligence": Distribution,
  "talent-intelligence": Talent,
  structure: Structure,
  targets: Targets,
};

/** Capabilities whose results show the input too. */
const saying: ReadonlySet<string> = new Set<Slug>(["insurance-assistant", "exa-filter", "afa-assurance"]);

/** Whether a run's results already show its input. */
export const saysInput = (steps: readonly { readonly capability: string }[]): boolean =>
  steps.length > 0 && steps.every(({ capability }) => saying.has(capability));

const isSlug = (slug: string): slug is Slug => Object.hasOwn(forms, slug);

interface Props {
  /** The capability's slug. */
  readonly capability: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** The result of a capability, in the form that suits it. */
export function Result({ capability, input, result }: Props) {
  if (!isSlug(capability)) return <Structured value={result} />;
  const Form = forms[capability] as ComponentType<Pick<Props, "input" | "result">>;
  return (
    <Suspense fallback={<Loading lines={4} />}>
      <Form input={input ?? {}} result={result} />
    </Suspense>
  );
}
