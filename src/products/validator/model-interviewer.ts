import { Type as T } from "@sinclair/typebox";
import { askModel } from "../../integrations/models/ask.ts";
import type { ConfiguredEmbedding } from "../../integrations/models/embedding.ts";
import type { LanguageModel } from "../../integrations/models/language.ts";
import { closed, enumeration } from "../../platform/schema.ts";
import { type Answer, objections, reasons } from "./answer.ts";
import anchors from "./data/anchors.json";
import { interview } from "./interview.ts";
import type { Interviewer } from "./interviewer.ts";
import type { Persona } from "./persona.ts";
import { depths } from "./sizes.ts";
import type { Study } from "./study.ts";
import type { Language } from "./words.ts";

/** Incremented with each change of the instructions below. */
const promptsVersion = "1.0.0";
/** How many times each question is asked, to measure the spread of the answers. */
const repetitions = 2;

const instructions =
  "You answer a market researcher's question as the person that the material describes: their age, household, income and habits. Say in two to four sentences, in the language named, whether you would buy what the hypothesis offers, and why. Be as sceptical as such a person would be. Name the one reason for it and at most two objections, the strongest first.";

const questions: Readonly<Record<string, string>> = {
  plain: "Would you buy this?",
  loss: "Think of what you could lose without it. Would you buy this?",
  budget: "Think of everything else that you have to pay this month. Would you buy this?",
  sceptic: "A friend says that such offers rarely keep what they promise. Would you buy this?",
};

const Said = closed({
  answer: T.String({ minLength: 10, maxLength: 2000 }),
  reason: enumeration(...reasons),
  objections: T.Array(enumeration(...objections), { maxItems: 2 }),
});

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? 0;
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

/**
 * Returns a point on the scale from the similarities to the anchors: each anchor is weighted by how much closer it is
 * than the farthest one. Returns the midpoint if all are equally close.
 */
export function pointOf(similarities: readonly number[]): number {
  const farthest = Math.min(...similarities);
  const weights = similarities.map((similarity) => similarity - farthest);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 1e-9) return 5;
  return weights.reduce((sum, weight, i) => sum + weight * (anchors.points[i] ?? 0), 0) / total;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const onScale = (value: number): number => Math.min(10, Math.max(0, value));

/** Returns the choice model's answers to other prices and channels, shifted to the person's own point on the scale. */
function moved(modelled: Answer, to: number): Pick<Answer, "ladder" | "alternatives" | "pressed"> {
  const by = to - modelled.juster;
  const { ladder, alternatives, pressed } = modelled;
  return {
    ...(ladder && { ladder: ladder.map((step) => onScale(step + by)) }),
    ...(alternatives && {
      alternatives: Object.fromEntries(Object.entries(alternatives).map(([name, at]) => [name, onScale(at + by)])),
    }),
    ...(pressed !== undefined && { pressed: onScale(pressed + by) }),
  };
}

/** Returns all of a person's free-text answers: `repetitions` for each framing. */
async function answersOf(
  model: LanguageModel,
  { age, role, bio }: Persona,
  { read, matter }: Study,
  hypothesis: string,
  signal: AbortSignal,
) {
  const framings = ["plain", ...depths[matter.size].framings];
  const said = [];
  for (const framing of framings)
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      const question = { question: questions[framing], repetition, language: read.language };
      const data = { person: { age, role, bio }, hypothesis, ...question };
      said.push(await askModel({ model, instructions, data, schema: Said, signal }));
    }
  return { said, framings };
}

/**
 * Interviews with a language model, whose free-text answers are placed on the scale by similarity to the anchor
 * statements. The hypothesis is data, never instructions (see `askModel`). Other prices and channels still use the
 * choice model.
 */
export function modelInterviewer(model: LanguageModel, embedding: ConfiguredEmbedding | null): Interviewer {
  const noEmbedding = "A model can interview only if embedding_url and embedding_name are set.";
  const known = new Map<Language, Promise<Float32Array[]>>();

  /** Returns the anchors' vectors, requested once and again after a failure. */
  function anchorsIn(language: Language, from: ConfiguredEmbedding, signal: AbortSignal): Promise<Float32Array[]> {
    const found = known.get(language) ?? from.embed(anchors.statements[language], signal);
    known.set(language, found);
    found.catch(() => known.delete(language));
    return found;
  }

  async function place(texts: readonly string[], language: Language, signal: AbortSignal): Promise<number[]> {
    if (!embedding) throw new Error(noEmbedding);
    const reference = await anchorsIn(language, embedding, signal);
    const vectors = await embedding.embed(texts, signal);
    return vectors.map((vector) => pointOf(reference.map((anchor) => cosine(vector, anchor))));
  }

  return {
    identity: { name: "market-validator", version: "1.0.0", model: model.name },
    inputs: [
      { name: "anchors", vintage: anchors.version, status: "design", source: "data/anchors.json, by language" },
      {
        name: "prompts",
        vintage: promptsVersion,
        status: "design",
        source: "instructions and questions of interviews",
      },
      {
        name: "embedding",
        vintage: embedding?.name ?? "none",
        status: "unverified",
        source: "the operator's endpoint",
      },
    ],
    ready: () => model.ready() ?? (embedding ? embedding.ready() : noEmbedding),
    async ask(persona, study, hypothesis, signal) {
      const { said, framings } = await answersOf(model, persona, study, hypothesis, signal);
      const texts = said.map(({ answer }) => answer);
      const points = await place(texts, study.read.language, signal);
      const modelled = interview(persona, study.matter);
      const byFraming = framings.map((_, i) => mean(points.slice(i * repetitions, (i + 1) * repetitions)));
      const apart = framings.map((_, i) => {
        const own = points.slice(i * repetitions, (i + 1) * repetitions);
        return Math.max(...own) - Math.min(...own);
      });
      const juster = mean(byFraming);
      const [first] = said;
      return {
        ...modelled,
        ...moved(modelled, juster),
        juster,
        framings: byFraming,
        reason: first?.reason ?? modelled.reason,
        objections: [...new Set(first?.objections ?? modelled.objections)],
        words: first?.answer ?? modelled.words,
        spread: mean(apart),
      };
    },
  };
}
