import { EventSourceParserStream } from "eventsource-parser/stream";
import { useEffect, useState } from "react";
import { ApiError, api, type Schemas } from "../../shared/api.ts";

type Section = Schemas["Composition"]["sections"][number];

/** The progress of composing a document. */
export interface Composing {
  readonly status: "running" | "completed" | "cancelled" | "failed";
  readonly done: number;
  readonly of: number;
  readonly stage: string;
  readonly sections: readonly Section[];
  readonly composition: Schemas["Composition"] | undefined;
  readonly error: unknown;
}

const begun: Composing = {
  status: "running",
  done: 0,
  of: 6,
  stage: "intake",
  sections: [],
  composition: undefined,
  error: undefined,
};

/** Maximum number of times a broken stream is resumed. */
const breaksAtMost = 5;

/** Applies an event to the state. The shapes of `data` are those in the stream's documentation. */
function after(before: Composing, event: string | undefined, data: string): Composing {
  const told = JSON.parse(data);
  if (event === "started") return begun;
  if (event === "stage") return { ...before, stage: told.stage, done: told.done, of: told.of };
  if (event === "partial") return { ...before, sections: [...before.sections, told] };
  if (event === "completed") return { ...before, status: "completed", composition: told };
  if (event !== "error") return before;
  return { ...before, status: "failed", error: new ApiError(500, told.code, told.message, [], null) };
}

interface Listening {
  readonly solution_id: string;
  readonly signal: AbortSignal;
  tell(change: (before: Composing) => Composing): void;
}

/** Reads the stream from after `lastId`. Returns the id of the last event, and whether the stream is complete. */
async function read({ solution_id, signal, tell }: Listening, lastId: string | undefined) {
  const { data, error, response } = await api.POST("/v1/solution-architect/compose/stream", {
    body: { solution_id },
    parseAs: "stream",
    signal,
    ...(lastId !== undefined && { headers: { "Last-Event-ID": lastId } }),
  });
  if (!data) {
    const refused = error?.error;
    throw new ApiError(response.status, refused?.code ?? "unexpected", refused?.message ?? "", [], null);
  }
  let id = lastId;
  const events = data.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { event, data: told, id: ownId } = next.value;
      tell((before) => after(before, event, told));
      id = ownId ?? id;
      if (event === "completed" || event === "error") return { id, isOver: true };
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
  }
  return { id, isOver: false };
}

/** Reads the document to its end, resuming a broken stream after the last event received. */
async function listen(listening: Listening): Promise<void> {
  let id: string | undefined;
  for (let broken = 0; broken <= breaksAtMost; broken++) {
    const { id: lastId, isOver } = await read(listening, id);
    if (isOver) return;
    id = lastId;
  }
  throw new ApiError(0, "unreachable", "", [], null);
}

/** Returns the document while it is composed, with functions to cancel and to restart. */
export function useComposing(solution_id: string) {
  const [composing, tell] = useState(begun);
  const [controller, setController] = useState(() => new AbortController());
  useEffect(() => {
    const { signal } = controller;
    const mine = (change: (before: Composing) => Composing): void => {
      if (!signal.aborted) tell(change);
    };
    listen({ solution_id, signal, tell: mine }).catch((error: unknown) =>
      mine((before) => ({ ...before, status: "failed", error })),
    );
    return () => controller.abort();
  }, [solution_id, controller]);
  return {
    composing,
    cancel() {
      controller.abort();
      tell((before) => ({ ...before, status: "cancelled" }));
    },
    again() {
      tell(begun);
      setController(new AbortController());
    },
  };
}
