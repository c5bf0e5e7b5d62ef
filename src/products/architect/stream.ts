import type { Runtime } from "../../platform/runtime.ts";
import type { Begin, EventStream } from "../../web/sse.ts";
import type { Composition, Section } from "./schema.ts";

/**
 * Streams a composition as events. They derive from it alone, and a model's text is stored before the first event is
 * sent, so a reader that reconnects gets the remaining events even after a restart.
 */

/** A solution's composition, on demand. */
export interface Composing {
  /** Returns the last composition. */
  told(): Promise<Composition>;
  /** Composes again, calling the model if one introduces the sections. */
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

/** An event with its name. */
type Told = {
  [Name in keyof ArchitectEvents]: { readonly event: Name; readonly data: ArchitectEvents[Name] };
}[keyof ArchitectEvents];

const stage = (name: Stage): Told => ({
  event: "stage",
  data: { stage: name, done: stages.indexOf(name) + 1, of: stages.length },
});

/** Returns the events of a whole stream, in order. */
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

/** Returns enough digits of the composition's hash to distinguish two compositions of a solution. */
const versionOf = ({ sha256 }: Composition): string => sha256.slice(0, 16);

/** Returns the position after the reader's last event; 0 if that is not of this composition. */
function placeBehind(lastEventId: string | undefined, version: string): number {
  const [, of, place] = /^([0-9a-f]{16})-(\d{1,4})$/.exec(lastEventId ?? "") ?? [];
  return of === version ? Number(place) + 1 : 0;
}

const send = (stream: EventStream<ArchitectEvents>, { event, data }: Told, id: string): void =>
  stream.send(event, data, id);

/**
 * Returns a function that gives all streams turns one after another, each in a separate turn of the event loop, so that
 * other requests are served between them.
 */
export function createTurns({ nextTurn }: Pick<Runtime, "nextTurn">): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(nextTurn);
    return last;
  };
}

export interface StreamNeeds {
  /** Waits for the stream's turn, before composing and before each event. */
  readonly turn: () => Promise<void>;
  /** Returns the error event if composing fails; the cause is logged, not shown. */
  readonly failed: (error: unknown) => ArchitectEvents["error"];
}

/**
 * Sends a composition to a stream. An event id is `<composition>-<position>`: a reader that reconnects after the design
 * or a price has changed receives the new composition from the start.
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
