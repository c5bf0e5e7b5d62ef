import type { Runtime } from "../../platform/runtime.ts";
import type { Begin, EventStream } from "../../web/sse.ts";
import type { Composition, Section } from "./schema.ts";

/**
 * A composition as events. They follow from it alone, and what a model wrote of it is kept before the first one goes out: so
 * a reader that comes back gets the rest, after a restart too.
 */

/** A solution's composition, when it is asked for. */
export interface Composing {
  /** As it was told last. */
  told(): Promise<Composition>;
  /** Composed again, asking a model where one is to introduce it. */
  compose(): Promise<Composition>;
}

export interface ArchitectEvents {
  started: { readonly solution_id: string; readonly sha256: string; readonly events: number };
  stage: { readonly stage: Stage; readonly done: number; readonly of: number };
  partial: Section;
  completed: Composition;
  error: { readonly code: string; readonly message: string };
}
const stages = ["intake", "match", "price", "risk", "draft", "verify"] as const;
type Stage = (typeof stages)[number];

/** One event with its name. */
type Told = {
  [Name in keyof ArchitectEvents]: { readonly event: Name; readonly data: ArchitectEvents[Name] };
}[keyof ArchitectEvents];

const stage = (name: Stage): Told => ({
  event: "stage",
  data: { stage: name, done: stages.indexOf(name) + 1, of: stages.length },
});

/** What a reader of a whole stream is told, in order. */
function eventsOf(composition: Composition): Told[] {
  const rest: Told[] = [
    ...(["intake", "match", "price", "risk", "draft"] as const).map(stage),
    ...composition.sections.map((data): Told => ({ event: "partial", data })),
    stage("verify"),
    { event: "completed", data: composition },
  ];
  const { solution_id, sha256 } = composition;
  return [{ event: "started", data: { solution_id, sha256, events: rest.length + 1 } }, ...rest];
}

/** As many digits of the composition's hash as tell two compositions of a solution apart. */
const versionOf = ({ sha256 }: Composition): string => sha256.slice(0, 16);

/** The place behind the last event that a reader has; 0 where it has none of this composition. */
function placeBehind(lastEventId: string | undefined, version: string): number {
  const [, of, place] = /^([0-9a-f]{16})-(\d{1,4})$/.exec(lastEventId ?? "") ?? [];
  return of === version ? Number(place) + 1 : 0;
}

const send = (stream: EventStream<ArchitectEvents>, { event, data }: Told, id: string): void =>
  stream.send(event, data, id);

/**
 * Turns that all streams take one after the other, each in a turn of the event loop of its own: however many are asked for
 * at once, whatever else is asked for goes in between.
 */
export function createTurns({ nextTurn }: Pick<Runtime, "nextTurn">): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(nextTurn);
    return last;
  };
}

export interface StreamNeeds {
  /** Waits for the stream's turn, before it composes and before each event. */
  readonly turn: () => Promise<void>;
  /** What the reader is told where composing fails: the cause is logged, and not shown. */
  readonly failed: (error: unknown) => ArchitectEvents["error"];
}

/**
 * Tells a composition to a stream. An id is `<composition>-<place>`: a reader that comes back after another design or
 * another price is told the new composition from its beginning.
 */
export const tellComposition =
  (solution: Composing, { turn, failed }: StreamNeeds): Begin<ArchitectEvents> =>
  (stream, lastEventId) => {
    const tell = async () => {
      await turn();
      if (stream.ended.aborted) return;
      const told = lastEventId === undefined ? undefined : await solution.told();
      const isBack = told && placeBehind(lastEventId, versionOf(told)) > 0;
      const composition = isBack ? told : await solution.compose();
      const version = versionOf(composition);
      const from = placeBehind(lastEventId, version);
      for (const [i, event] of eventsOf(composition).entries()) {
        if (stream.ended.aborted) return;
        if (i < from) continue;
        send(stream, event, `${version}-${i}`);
        await turn();
      }
    };
    tell()
      .catch((error: unknown) => stream.send("error", failed(error)))
      .finally(() => stream.end());
  };
