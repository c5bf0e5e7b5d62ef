import type { Computation } from "../../../contracts/computing.ts";
import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import type { Composition } from "./compose.ts";
import type { Signals } from "./gate.ts";

/** How surely sentences answer, 0 to 1, by their names. From the reader. */
export interface Readings {
  /** Read together with their neighbours. */
  readonly near: Readonly<Record<string, number>>;
  /** Read on their own, for a stretch that answers. */
  readonly alone: Readonly<Record<string, number>>;
}

/** A passage for the reader, by the name of its sentence. */
export interface ToRead {
  readonly name: string;
  readonly passage: string;
}

/** A question, and what was found for it. */
export interface Found {
  readonly question: string;
  /** The language of the question, or of the words that were searched for. */
  readonly language: SearchLanguage;
  /** Best first. */
  readonly chunks: readonly Chunk[];
  readonly readings?: Readings;
  /** Chunks of documents later than the quoted ones, which may have changed them. */
  readonly later?: readonly Chunk[];
}

/** What the chunks say about the question. */
export interface Weighed {
  /** Whether a recommendation is asked for, which the assistant never gives. */
  readonly isAdvice: boolean;
  /** Whether no chunk can answer, however similar its words: another insurer or a phone number is asked for. */
  readonly isElsewhere: boolean;
  /** Whether any of them answers. */
  readonly isEvidence: boolean;
  /** Whether the reader has read the best sentences. */
  readonly isRead: boolean;
  /** Whether they answer so surely that the answer may be OK. */
  readonly isCertain: boolean;
  /** Ids of the chunks that come nearest to an answer, best first; empty if what was found is about something else. */
  readonly nearest: readonly number[];
  /** The signals that the gate decided by. */
  readonly signals: Signals;
  /** Share of the question's weighted words that the best chunk has with its headings, 0 to 1. */
  readonly coverage: number;
  /** The same for the best sentence with its headings. */
  readonly stated: number;
  /** The best sentences to read with their neighbours, and the sentences of each stretch on their own. */
  readonly toRead: readonly (ToRead & { readonly alone: readonly ToRead[] })[];
  /** The answer made of their sentences. */
  readonly composition: Composition;
}

const budget = { ms: 10_000, memory_mib: 256 };

/** Which sentences of the chunks answer, and the answer made of them. */
export const evidence: Computation<Found, Weighed> = {
  name: "evidence",
  budget,
  isHeavy: ({ question }) => question.length > 500,
  async load() {
    const { weighed } = await import("./weigh.ts");
    return weighed;
  },
};

/** The question's words, as insurance calls them in another language. */
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
