import type { Computation } from "../../../contracts/computing.ts";
import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import type { Composition } from "./compose.ts";
import type { Signals } from "./gate.ts";

/** How surely sentences answer, by their names, where a reader of meaning has read them: 0 to 1. */
export interface Readings {
  /** Together with their neighbours. */
  readonly near: Readonly<Record<string, number>>;
  /** By themselves: those of a stretch that answers. */
  readonly alone: Readonly<Record<string, number>>;
}

/** What a reader of meaning reads beside the question, by its sentence's name. */
export interface ToRead {
  readonly name: string;
  readonly passage: string;
}

/** A question, and what was found for it. */
export interface Found {
  readonly question: string;
  /** Of the question, or of the words that it was looked for by. */
  readonly language: SearchLanguage;
  /** The best first. */
  readonly chunks: readonly Chunk[];
  readonly readings?: Readings;
  /** Chunks of documents that came after those quoted, and may have changed them. */
  readonly later?: readonly Chunk[];
}

/** What the chunks hold for the question. */
export interface Weighed {
  /** Whether a recommendation is asked for, which the assistant never gives. */
  readonly isAdvice: boolean;
  /** Whether no chunk can answer, however alike its words: another insurer or a number to call is asked for. */
  readonly isElsewhere: boolean;
  /** Whether anything of them answers. */
  readonly isEvidence: boolean;
  /** Whether a reader of meaning has read the best sentences. */
  readonly isRead: boolean;
  /** Whether they answer so surely that the answer may be called OK. */
  readonly isCertain: boolean;
  /** Chunks that come nearest to an answer, the best first, by their ids; none where what was found is of something else. */
  readonly nearest: readonly number[];
  /** What the gate decided by. */
  readonly signals: Signals;
  /** Share of the question's weighted words that the best chunk has with its headings, 0 to 1. */
  readonly coverage: number;
  /** The same of the best sentence with its headings. */
  readonly stated: number;
  /** The best sentences, each with its neighbours, and which of them by themselves say what the stretch does. */
  readonly toRead: readonly (ToRead & { readonly alone: readonly ToRead[] })[];
  /** The answer that is made of their sentences. */
  readonly composition: Composition;
}

const budget = { ms: 10_000, memory_mib: 256 };

/** Which sentences of the chunks answer, and the answer that they make. */
export const evidence: Computation<Found, Weighed> = {
  name: "evidence",
  budget,
  isHeavy: ({ question }) => question.length > 500,
  async load() {
    const { weighed } = await import("./weigh.ts");
    return weighed;
  },
};

/** The question's words as insurance calls them in another language. */
export const otherWords: Computation<
  { readonly question: string; readonly asked: SearchLanguage; readonly language: SearchLanguage },
  string
> = {
  name: "other-words",
  budget,
  isHeavy: () => false,
  async load() {
    const { inOtherWords } = await import("./weigh.ts");
    return ({ question, asked, language }) => inOtherWords(question, asked, language);
  },
};
