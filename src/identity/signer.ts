import type { KeyObject } from "node:crypto";
import { second } from "../platform/clock.ts";
import { isCompiled } from "../platform/compiled.ts";
import { compactJws } from "./jws.ts";
import { type SigningOrder, textsOf, toText } from "./signing-messages.ts";

/** Signs payloads of one kind with one key. */
export interface Signer {
  /** The payload's compact JWS, signed together with what else is asked for in this turn of the event loop. */
  sign(payload: string): Promise<string>;
}

interface Wanted {
  readonly payload: string;
  readonly resolve: (token: string) => void;
}

/** From so many in one turn on, a thread is worth its message; fewer are signed here. */
const worthAThread = 4;
/** A thread that has had nothing to do for so long ends: it holds about 12 MiB. */
const quiet = 30 * second;

/** In the executable a thread's code is found by its path below `src`. */
const threadFile = (): string =>
  isCompiled() ? "./src/identity/signing-thread.ts" : new URL("./signing-thread.ts", import.meta.url).href;

/**
 * Signing takes a busy event loop a sixth of its time, so another thread takes it over where there is much of it. One
 * that fails, or takes its time to start, holds nobody up: then the event loop signs.
 */
export function createSigner(order: SigningOrder, key: KeyObject): Signer {
  let wanted: Wanted[] = [];
  /** What the thread was sent and has not answered, in its order. */
  let sent: Wanted[][] = [];
  let thread: Worker | undefined;
  let state: "none" | "starting" | "ready" | "broken" = "none";
  let ending: Timer | undefined;

  function signHere(list: readonly Wanted[]): void {
    for (const { payload, resolve } of list) resolve(compactJws(order.header, payload, key));
  }

  function answered(message: string): void {
    const tokens = textsOf(message);
    for (const [i, { payload, resolve }] of (sent.shift() ?? []).entries())
      resolve(tokens[i] ?? compactJws(order.header, payload, key));
  }

  /** Ends the thread, and signs here what it still owes. */
  function end(next: "none" | "broken"): void {
    thread?.terminate();
    thread = undefined;
    state = next;
    const owed = sent;
    sent = [];
    for (const list of owed) signHere(list);
  }

  function start(): void {
    state = "starting";
    const made = new Worker(threadFile(), { smol: true });
    thread = made;
    made.unref();
    made.addEventListener("open", () => {
      state = "ready";
    });
    made.onmessage = ({ data }: MessageEvent<string>) => answered(data);
    made.onerror = () => end("broken");
    // Behind our own ending it is not the thread any more.
    made.addEventListener("close", () => {
      if (thread === made) end("broken");
    });
    made.postMessage(order);
  }

  function sendToThread(list: Wanted[]): void {
    sent.push(list);
    thread?.postMessage(toText(list.map(({ payload }) => payload)));
    clearTimeout(ending);
    ending = setTimeout(end, quiet, "none");
    ending.unref();
  }

  function send(): void {
    const list = wanted;
    wanted = [];
    const isMuch = list.length >= worthAThread;
    if (isMuch && state === "none") start();
    if (isMuch && state === "ready") sendToThread(list);
    else signHere(list);
  }

  return {
    sign: (payload) =>
      new Promise((resolve) => {
        if (wanted.length === 0) setImmediate(send);
        wanted.push({ payload, resolve });
      }),
  };
}
