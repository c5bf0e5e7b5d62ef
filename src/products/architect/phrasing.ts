import { keepSolutionText, solutionText, solutionTextAsks } from "../../../db/queries/solutions.ts";
import type { SolutionTextTable } from "../../../db/schema/solution-tables.ts";
import type { Store } from "../../../db/store.ts";
import { EngineError } from "../../contracts/engine.ts";
import { askModel } from "../../integrations/models/ask.ts";
import type { LanguageModel } from "../../integrations/models/language.ts";
import { day, minute, second } from "../../platform/clock.ts";
import { canonical } from "../../platform/json.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Known } from "./blueprint.ts";
import { composeOf } from "./compose.ts";
import { designOf } from "./design.ts";
import type { Prose } from "./prose.ts";
import type { Composition } from "./schema.ts";

/**
 * Adds a language model's wording to a solution's document. The facts come from the rules; the model's text is checked
 * against them, stored, and reused from then on. If the model fails, the document is delivered without its text and
 * says so.
 */

/** Total time that a composition waits for the model, in milliseconds. */
const patience = 30 * second;
/** Delay after a failure before the model is called again for the same document, in milliseconds. */
const retryAfter = minute;
/** Maximum number of model calls per firm and day, since composing is free. */
const asksOfADay = 100;
/** Maximum number of documents that the model writes concurrently, in total and per firm. */
const atOnce = { all: 8, firm: 2 } as const;

type Failure = NonNullable<SolutionTextTable["failure"]>;
/** The model's text for a document, or why there is none. */
export type Phrasing = { readonly model: string } & (
  | { readonly prose: Prose; readonly failure: null }
  | { readonly prose: null; readonly failure: Failure }
);

export interface PhrasingOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  /** `null` if documents are written by the rules alone. */
  readonly model: LanguageModel | null;
  /** Aborted when the server stops; waiting for the model then ends. */
  readonly ending: AbortSignal;
}

const languageNames = { en: "English", cs: "Czech", sk: "Slovak", de: "German" } as const;

const instructions = (language: keyof typeof languageNames): string =>
  `You write the prose of a solution's document for the company that asked for it. The material has the finished document by sections, made by rules, with the goals of the company. For each section named in the schema write an introduction in plain ${languageNames[language]} sentences that a manager understands at once: summary in three to six sentences (what is wanted, what serves it and how it hangs together, what stays open), each other section in one to three. The rules' lists follow your text, so don't repeat them. Say nothing that the document does not say. Name products and needs exactly as they are written there, and name nobody and nothing else. Use no number but the document's, a price only with its product or for the whole. Promise nothing, call nothing approved, free, complete or guaranteed. No markup, no lists, no addresses.`;

/** Converts a stored row. */
function phrasingIn({ model, text_json, failure }: SolutionTextTable): Phrasing {
  // Written by this product under its own schema, so it needs no validation.
  if (text_json !== null) return { model, prose: JSON.parse(text_json) as Prose, failure: null };
  return { model, prose: null, failure: failure ?? "unavailable" };
}

const codeOf = (error: unknown): string => (error instanceof EngineError ? error.code : "model_unavailable");
const failureFrom = (error: unknown): Failure => (codeOf(error) === "model_output_invalid" ? "refused" : "unavailable");

/** Calls the model within its time limit. Throws `EngineError`, or the reason of an abort. */
async function written(known: Known, base: Composition, model: LanguageModel, signal: AbortSignal): Promise<Prose> {
  const reason = model.ready();
  if (reason !== null) throw new EngineError("model_unavailable", reason, true);
  const { Prose: schema, flawInProse } = await import("./prose.ts");
  const { company, country, industry, goals } = known.intake;
  const design = designOf(known);
  const asked = askModel({
    model,
    instructions: instructions(known.reading.language),
    data: {
      ...{ company, country, industry, goals },
      document: base.sections.map(({ id, title, markdown }) => ({ id, title, text: markdown })),
    },
    schema,
    verify: (prose) => flawInProse(prose, known, design),
    signal,
  });
  const stopped = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([asked, stopped]);
}

/** Counts the documents being written, in total and per firm. */
function createPlaces() {
  const held = new Map<string, number>();
  const total = () => [...held.values()].reduce((sum, count) => sum + count, 0);
  return {
    /** Whether the firm may start another one; if so, reserves a place until `give`. */
    take(firm: string): boolean {
      const own = held.get(firm) ?? 0;
      if (own >= atOnce.firm || total() >= atOnce.all) return false;
      held.set(firm, own + 1);
      return true;
    },
    give(firm: string): void {
      const left = (held.get(firm) ?? 1) - 1;
      if (left > 0) held.set(firm, left);
      else held.delete(firm);
    },
  };
}

/**
 * Creates the writer of documents: by the rules, and in a model's words if there is a model. Called by `service.ts`.
 */
export function createPhrasing({ store, runtime, log, model, ending }: PhrasingOptions) {
  const places = createPlaces();
  /** By document, so that concurrent callers share one call. */
  const underWay = new Map<string, Promise<Phrasing>>();

  const stored = async (firm_id: string, { solution_id, sha256: of_sha256 }: Composition, name: string) =>
    solutionText.first(store.read, { solution_id, firm_id, of_sha256, model: name });

  /** Calls the model unless the firm has reached a limit. Returns the reason if there is no text. */
  async function attempt(firm_id: string, known: Known, base: Composition, by: LanguageModel) {
    const since = runtime.now() - day;
    const { asks } = (await solutionTextAsks.first(store.read, { firm_id, since })) ?? { asks: 0 };
    if ((asks ?? 0) >= asksOfADay) return { text_json: null, failure: "quota" as const, asks: 0 };
    if (!places.take(firm_id)) return { text_json: null, failure: "busy" as const, asks: 0 };
    try {
      const signal = AbortSignal.any([ending, runtime.deadline(patience)]);
      const prose = await written(known, base, by, signal);
      return { text_json: canonical(prose), failure: null, asks: 1 };
    } catch (error) {
      const failure = failureFrom(error);
      log.warn("a model's text for a solution is not used", { solution: base.solution_id, code: codeOf(error) });
      return { text_json: null, failure, asks: 1 };
    } finally {
      places.give(firm_id);
    }
  }

  async function askAndKeep(firm_id: string, known: Known, base: Composition, by: LanguageModel): Promise<Phrasing> {
    const { solution_id, sha256: of_sha256 } = base;
    const outcome = await attempt(firm_id, known, base, by);
    const row = { solution_id, of_sha256, model: by.name, firm_id, ...outcome, asked_at: runtime.now() };
    if (ending.aborted) return phrasingIn(row);
    await store.write((tx) => keepSolutionText.run(tx, row));
    return phrasingIn((await stored(firm_id, base, by.name)) ?? row);
  }

  /** Returns the stored result unless a retry is due. */
  async function kept(firm_id: string, base: Composition, by: LanguageModel, isFinal: boolean) {
    const row = await stored(firm_id, base, by.name);
    const isDue = row?.text_json === null && row.asked_at + retryAfter <= runtime.now();
    return row && (isFinal || !isDue) ? phrasingIn(row) : null;
  }

  return {
    /** Returns the model's stored text, if any, without calling the model. */
    async current(firm_id: string, known: Known): Promise<Phrasing | null> {
      return model && kept(firm_id, composeOf(known), model, true);
    },

    /** Returns the model's text, calling the model if necessary. Never throws because of the model. */
    async asked(firm_id: string, known: Known): Promise<Phrasing | null> {
      if (!model) return null;
      const base = composeOf(known);
      const found = await kept(firm_id, base, model, false);
      if (found) return found;
      const key = `${base.solution_id}:${base.sha256}`;
      const running = underWay.get(key) ?? askAndKeep(firm_id, known, base, model);
      underWay.set(key, running);
      return running.finally(() => underWay.delete(key));
    },
  };
}
export type Phrasings = ReturnType<typeof createPhrasing>;
