/** A market study, as engines request it. The study host in `src/products/validator` carries it out. */

/** The study's input, as a run has it. */
export interface StudyInput {
  readonly hypothesis: string;
  /** A market's code or a country's name. */
  readonly market: string;
  readonly audience_id?: string;
  /** If absent, the default of a capability run, ten personas at size M. */
  readonly decision_size?: "S" | "M" | "L" | "XL";
  readonly personas?: number;
}

export interface StudyOrder {
  /** `<run>:<step>`. A study is created once per run, however often it is requested. */
  readonly stepKey: string;
  readonly input: StudyInput;
  readonly signal: AbortSignal;
  readonly progress?: ((stage: string, completed: number, total: number) => void) | undefined;
}

export interface StudyOutcome {
  readonly verdict: "GO" | "NO-GO" | "CONDITIONAL";
  /** Between 0 and 1. */
  readonly confidence: number;
  /** URL of the study's page. */
  readonly reference: string;
  /**
   * How the interviewed personas differ from the intended ones, and how the price was understood, one sentence each.
   */
  readonly notes: readonly string[];
  /** Cost of the interviewed personas. */
  readonly credits: number;
}

/** The caller, who may use the firm's own audiences. */
export interface StudyCaller {
  readonly firm_id: string;
  readonly workspace_id: string | null;
}

/** Carries out studies durably. */
export interface StudyConductor {
  /**
   * Throws a `Failure` for an input that cannot be studied: `validation_error` for an unknown market or a hypothesis
   * that cannot be understood, `not_found` for an unknown audience.
   */
  admit(input: StudyInput, caller: StudyCaller): Promise<void>;
  /** Resolves once the study is completed; resumes one that was started earlier. Throws `EngineError`. */
  conduct(order: StudyOrder): Promise<StudyOutcome>;
}

/** Where engines find the conductor. Engines are created before the study host, so the app sets it later, once. */
export interface StudyDesk {
  conductor: StudyConductor | null;
}
