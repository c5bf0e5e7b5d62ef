/** A market study as an engine orders it. The host of studies carries it out: see `src/products/validator`. */

/** What is asked, as a run carries it. */
export interface StudyInput {
  readonly hypothesis: string;
  /** A market's code or a country's name. */
  readonly market: string;
  readonly audience_id?: string;
  /** Absent: those of a capability run, ten at M. */
  readonly decision_size?: "S" | "M" | "L" | "XL";
  readonly personas?: number;
}

export interface StudyOrder {
  /** `<run>:<step>`. A study is made once for a run, however often it is asked for. */
  readonly stepKey: string;
  readonly input: StudyInput;
  readonly signal: AbortSignal;
  readonly progress?: ((stage: string, completed: number, total: number) => void) | undefined;
}

export interface StudyOutcome {
  readonly verdict: "GO" | "NO-GO" | "CONDITIONAL";
  /** Between 0 and 1. */
  readonly confidence: number;
  /** Where the study's page is. */
  readonly reference: string;
  /** How those who were asked differ from those that are meant, and how the price was understood, a sentence each. */
  readonly notes: readonly string[];
  /** What the personas that were interviewed cost. */
  readonly credits: number;
}

/** Who asks for a run: what is the firm's is there for it alone. */
export interface StudyCaller {
  readonly firm_id: string;
  readonly workspace_id: string | null;
}

/** Carries studies out durably. */
export interface StudyConductor {
  /**
   * Throws a `Failure` for what can't be asked: `validation_error` for an unknown market and for a
   * hypothesis of which nothing is understood, `not_found` for an audience.
   */
  admit(input: StudyInput, caller: StudyCaller): Promise<void>;
  /** Answers once the study is completed, and goes on with one that was begun before. Throws `EngineError`. */
  conduct(order: StudyOrder): Promise<StudyOutcome>;
}

/**
 * Where engines find the conductor: engines are made before the host that moves studies. The app brings it once, when it
 * is made.
 */
export interface StudyDesk {
  conductor: StudyConductor | null;
}
