import { type Static, Type as T } from "@sinclair/typebox";
import type { Engine, EngineContext } from "../../../contracts/engine.ts";
import { askModel } from "../../../integrations/models/ask.ts";
import type { LanguageModel } from "../../../integrations/models/language.ts";
import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import { supportedFrom, verdictsOn } from "../../../knowledge/faithfulness/scorer.ts";
import { closed } from "../../../platform/schema.ts";
import { type Composition, composed, type Quotation } from "./compose.ts";
import { type Evidence, evidenceFor, type Sources } from "./evidence.ts";
import { judged, withoutAdvice, withoutEvidence } from "./judge.ts";
import { phrases } from "./phrases.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";
import { excerptOf } from "./sentences.ts";

/** The model's output: sentences in its own words, each with the passage that it rests on. */
const Drafted = closed({
  sentences: T.Array(
    closed({ text: T.String({ minLength: 2, maxLength: 1_000 }), passage: T.Integer({ minimum: 0 }) }),
    { maxItems: 8 },
  ),
  disagreeing_passages: T.Array(T.Integer({ minimum: 0 }), { maxItems: 8 }),
});
type Draft = Static<typeof Drafted>;

/** Number of chunks that the model sees: the best of those found. */
const chunksShown = 10;

const instructions = (language: string): string =>
  `You answer a question about insurance from numbered passages of documents. Answer in ${language}, in one to four short sentences. Each sentence rests on one passage: give its number, and say nothing that the passage does not say, with the same numbers, dates, names and negations. When passages contradict each other on the question, say what each says and list their numbers in disagreeing_passages; otherwise that list is empty. When no passage answers the question, sentences is empty. State a price only where a passage does, recommend no insurer or product, add nothing that you know from elsewhere.`;

/** Returns whether the embedded check finds a sentence supported by its passage. */
async function isSupported(
  { computing }: Sources,
  context: EngineContext,
  question: string,
  answer: string,
  passage: string,
): Promise<boolean> {
  const { score, claims } = verdictsOn(
    await computing.run(faithfulness, { question, answer, sources: [passage] }, context),
  );
  return claims.length > 0 && score >= supportedFrom;
}

/** Returns what is wrong with a draft, or null: an unknown passage, or a sentence that its passage does not support. */
async function flawIn(
  { sentences, disagreeing_passages }: Draft,
  chunks: readonly Chunk[],
  isSupported: (text: string, passage: string) => Promise<boolean>,
): Promise<string | null> {
  if ([...sentences.map(({ passage }) => passage), ...disagreeing_passages].some((at) => !chunks[at]))
    return `Passages are numbered from 0 to ${chunks.length - 1}.`;
  for (const { text, passage } of sentences) {
    if (!(await isSupported(text, chunks[passage]?.chunk.text ?? "")))
      return `Passage ${passage} does not support the sentence that cites it.`;
  }
  return null;
}

/** Returns the draft as an answer, with what later documents change in the chunks that it cites. */
function answerOf({ sentences, disagreeing_passages }: Draft, { chunks, composition }: Evidence): Composition {
  const quotations = sentences.flatMap(({ text, passage }): Quotation[] => {
    const found = chunks[passage];
    if (!found) return [];
    const excerpt = excerptOf(found, 0, Math.min(200, found.chunk.text.length));
    return [{ found, excerpt, score: found.score, text, own: text }];
  });
  const { numberOf, ...answer } = composed(quotations, composition.amendments);
  const disagreeing = disagreeing_passages.flatMap((at) => chunks[at] ?? []).map(numberOf);
  return { ...answer, disagreeing: disagreeing.filter((number) => number > 0), differing: [] };
}

/**
 * The assistant with a language model. Searching and judging are the same as without one. The model words the answer,
 * and each of its sentences must pass the faithfulness check against the chunk that it cites. The manifest chooses it
 * when the operator lists `insurance-assistant` in `model_capabilities`.
 */
export const insuranceAssistantModelEngine = (
  sources: Sources,
  model: LanguageModel,
): Engine<InsuranceAssistantInput, InsuranceAssistantOutput> => ({
  identity: { name: "insurance-assistant", version: "1.0.0", model: model.name },
  ready: () => model.ready(),
  async run(input, context) {
    const { question } = input;
    const evidence = await evidenceFor(sources, input, context);
    if (evidence.isAdvice) return { result: withoutAdvice(evidence) };
    if (!evidence.isEvidence) return { result: withoutEvidence(input, evidence) };
    const chunks = evidence.chunks.slice(0, chunksShown);
    const draft = await askModel({
      model,
      instructions: instructions(phrases.en.languages[evidence.language]),
      data: {
        question,
        passages: chunks.map(({ document, chunk }, number) => ({
          number,
          document: document.title,
          heading: chunk.heading,
          text: chunk.text,
        })),
      },
      schema: Drafted,
      verify: (given) =>
        flawIn(given, chunks, (text, passage) => isSupported(sources, context, question, text, passage)),
      signal: context.signal,
    });
    if (draft.sentences.length === 0) return { result: withoutEvidence(input, evidence) };
    return { result: await judged(sources, context, { question, evidence, composition: answerOf(draft, evidence) }) };
  },
});
