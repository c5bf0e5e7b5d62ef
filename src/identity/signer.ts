import type { KeyObject } from "node:crypto";
import { minute, second } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Thread } from "../platform/threads.ts";
import { base64url, compactJws } from "./jws.ts";
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

/** A list that the thread was sent and has not answered. */
interface Sent {
  readonly list: readonly Wanted[];
  /** Takes its deadline back. */
  readonly disarm: () => void;
}

/** From so many in one turn on, a thread is worth its message; fewer are signed here. */
const worthAThread = 4;
/** A thread that has had nothing to do for so long ends: it holds about 12 MiB. */
const quiet = 30 * second;
/** So long a thread may take to start, and for each list: far more than one that works ever needs. */
export const threadDeadline = 2 * second;
/** One that was given up is not tried again for so long. */
export const threadCoolDown = minute;
/** Signatures of a thread that was given up that are made here before others have a turn: about a millisecond. */
const perTurn = 16;

/** The tokens in a thread's answer to a list; undefined where they are not one for each payload, in order. */
function tokensIn(data: unknown, header: string, list: readonly Wanted[]): string[] | undefined {
  if (typeof data !== "string") return undefined;
  const tokens = textsOf(data);
  const isFor = (token: string, at: number) => token.startsWith(`${header}.${base64url(list[at]?.payload ?? "")}.`);
  return tokens.length === list.length && tokens.every(isFor) ? tokens : undefined;
}

/**
 * Signing takes a busy event loop a sixth of its time, so another thread takes it over where there is much of it. One
 * that fails, hangs, answers nonsense or takes its time to start holds nobody up for more than its deadline: then the
 * event loop signs, until a later thread is tried. The keyring makes one for each kind of token.
 */
export function createSigner(runtime: Runtime, order: SigningOrder, key: KeyObject): Signer {
  let wanted: Wanted[] = [];
  let sent: Sent[] = [];
  let thread: Thread | undefined;
  let state: "none" | "starting" | "ready" | "resting" = "none";
  /** Takes back what the thread's state waits for: its start, or the end of its use. */
  let disarm = () => {};

  function signHere(list: readonly Wanted[]): void {
    for (const { payload, resolve } of list) resolve(compactJws(order.header, payload, key));
  }

  async function signOwed(owed: readonly Wanted[]): Promise<void> {
    for (let at = 0; at < owed.length; at += perTurn) {
      signHere(owed.slice(at, at + perTurn));
      await runtime.nextTurn();
    }
  }

  /** Ends the thread, and signs here what it still owes. */
  function end(next: "none" | "resting"): void {
    thread?.end();
    thread = undefined;
    state = next;
    disarm();
    const owed = sent;
    sent = [];
    for (const one of owed) one.disarm();
    void signOwed(owed.flatMap(({ list }) => list));
  }

  function giveUp(): void {
    end("resting");
    runtime.after(threadCoolDown, () => {
      state = "none";
    });
  }

  function answered(data: unknown): void {
    const oldest = sent[0];
    const tokens = oldest && tokensIn(data, order.header, oldest.list);
    if (!tokens) giveUp();
    else {
      sent.shift();
      oldest.disarm();
      for (const [i, { payload, resolve }] of oldest.list.entries())
        resolve(tokens[i] ?? compactJws(order.header, payload, key));
    }
  }

  function start(): void {
    state = "starting";
    disarm = runtime.after(threadDeadline, giveUp);
    const ready = () => {
      state = "ready";
      disarm();
    };
    thread = runtime.thread("signing", { ready, message: answered, ended: giveUp });
    thread.post(order);
  }

  function sendToThread(list: readonly Wanted[]): void {
    sent.push({ list, disarm: runtime.after(threadDeadline, giveUp) });
    thread?.post(toText(list.map(({ payload }) => payload)));
    disarm();
    disarm = runtime.after(quiet, () => end("none"));
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
        if (wanted.length === 0) runtime.soon(send);
        wanted.push({ payload, resolve });
      }),
  };
}
