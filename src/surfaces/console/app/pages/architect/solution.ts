import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { ApiError, api, bodyOf, type Schemas } from "../../shared/api.ts";
import { installedAt } from "../../shared/browser.ts";
import { useDraft } from "../../shared/draft.ts";
import type { Language } from "../../shared/languages.ts";
import { typedNumber } from "../../shared/typed-number.ts";
import { useLanguage } from "../../shared/words.ts";

/** The intake as typed: lists have one item per line, and the budget is text. */
export interface Typed {
  readonly company: string;
  readonly country: string;
  readonly industry: string;
  readonly goals: string;
  readonly constraints: string;
  readonly channels: string;
  readonly data_sources: string;
  readonly budget: string;
  readonly consent: boolean;
}

const nothingTyped: Typed = {
  company: "",
  country: "",
  industry: "",
  goals: "",
  constraints: "",
  channels: "",
  data_sources: "",
  budget: "",
  consent: false,
};

/** A solution in progress: the input, and what was understood of it once requested. */
interface SolutionDraft {
  readonly typed: Typed;
  readonly intake: Schemas["Intake"] | null;
}

/** The solution in progress in this tab, shared by its pages. The page of a saved solution replaces it. */
export const useSolutionDraft = () => useDraft<SolutionDraft>("architect", { typed: nothingTyped, intake: null });

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function requestOf(
  { budget, goals, constraints, channels, data_sources, ...typed }: Typed,
  language: Language,
): Schemas["IntakeRequest"] {
  const budget_credits = typedNumber(budget, language);
  return {
    ...typed,
    goals: lines(goals),
    constraints: lines(constraints),
    channels: lines(channels),
    data_sources: lines(data_sources),
    ...(budget_credits !== undefined && { budget_credits }),
  };
}

/** Returns the mutation that submits a firm's goals and reports what was understood. */
export function useIntake(understood: (intake: Schemas["Intake"]) => void) {
  const { language } = useLanguage();
  return useMutation({
    mutationFn: (typed: Typed) =>
      bodyOf(api.POST("/v1/solution-architect/intake", { body: requestOf(typed, language) })),
    onSuccess: understood,
  });
}

/** Converts a stored intake back to the form's input. */
export const typedOf = ({ budget_credits, ...kept }: Schemas["ResumedSolution"]["intake"]): Typed => ({
  company: kept.company,
  country: kept.country,
  industry: kept.industry,
  goals: kept.goals.join("\n"),
  constraints: kept.constraints?.join("\n") ?? "",
  channels: kept.channels?.join("\n") ?? "",
  data_sources: kept.data_sources?.join("\n") ?? "",
  budget: budget_credits?.toString() ?? "",
  consent: true,
});

/**
 * Returns the link that opens a stored solution. The token is in the fragment, which browsers never send to a server.
 */
export const resumeLink = (token: string): string =>
  `${location.origin}${installedAt}/console/architect/resume#${token}`;

/** The query for the solution that a token opens. */
export const resumed = (token: string) =>
  queryOptions({
    queryKey: ["architect", "resumed", token],
    enabled: token !== "",
    queryFn: () => bodyOf(api.GET("/v1/solution-architect/resume/{token}", { params: { path: { token } } })),
  });

/** Whether a token no longer opens anything: it expired or was replaced by a newer one. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

/** Returns the match of every need with every product. */
export const useBlueprint = (solution_id: string) =>
  useQuery({
    queryKey: ["architect", "blueprint", solution_id],
    queryFn: () => bodyOf(api.POST("/v1/solution-architect/blueprint", { body: { solution_id } })),
  });

/** Returns the products by slug. */
export const useInventory = () =>
  useQuery({
    queryKey: ["architect", "inventory"],
    queryFn: () => bodyOf(api.GET("/v1/solution-architect/inventory")),
  });

/** Returns the options with their scores and prices. */
export const useRecommendations = (solution_id: string) =>
  useQuery({
    queryKey: ["architect", "recommendations", solution_id],
    queryFn: () => bodyOf(api.POST("/v1/solution-architect/recommendations", { body: { solution_id } })),
  });

/** Returns the mutation that stores which product serves which need and returns the resulting design. */
export const useDesign = () =>
  useMutation({
    mutationFn: (body: Schemas["DesignRequest"]) => bodyOf(api.POST("/v1/solution-architect/design", { body })),
  });
