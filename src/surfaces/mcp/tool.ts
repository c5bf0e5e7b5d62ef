import type { Static, TObject } from "@sinclair/typebox";
import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { type Detail, type ErrorCode, Failure, messageOf } from "../../platform/errors.ts";
import { checker, problems } from "../../platform/validate.ts";
import { advice } from "../docs/errors.ts";

/**
 * What a tool is, without a word about any SDK: schemas, scopes, text and a function. `server.ts` turns it into the
 * protocol; a group of tools is a module that makes some of these (`tools-docs.ts` and its neighbours).
 */

/** Who calls, and what the firm holds. */
export interface Caller {
  readonly principal: Principal;
  readonly entitlements: readonly string[];
}

/** One call of a tool. */
export interface Call extends Caller {
  /** Aborts when the client has gone or has taken the call back. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is; does nothing where the client did not ask. */
  progress(done: number, total: number, message: string): Promise<void>;
  /** What the client sent so that a repeat does nothing twice. */
  readonly idempotency_key: string | undefined;
}

/** What a tool answers. */
export interface Answer<Value = unknown> {
  /** By the tool's output schema. */
  readonly value: Value;
  /** The same in few words, whole enough for a client that shows text alone. */
  readonly text: string;
  /** What the call was charged, in whole credits. Absent: nothing. */
  readonly credits?: number;
}

/** The protocol's hints: what the tool does to the world. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

interface Described {
  readonly name: string;
  readonly title: string;
  /** Short: long text belongs in `get_capability`. */
  readonly description: string;
  /** The caller needs all of them; without one the call is answered 403 and names them. */
  readonly scopes: readonly Scope[];
  readonly hints: Hints;
  /** False: for this caller there is no such tool. Absent: there is. */
  readonly exists?: (caller: Caller) => boolean;
  /** False: it is not listed, and a call says why it refuses. Absent: it is listed to whoever has the scopes. */
  readonly offered?: (caller: Caller) => boolean;
}

export interface Tool extends Described {
  readonly input: TObject;
  readonly output: TObject;
  /** Checks the arguments and carries the call out. Throws `Failure` and `ToolFailure`. */
  run(given: unknown, call: Call): Promise<Answer>;
}

interface Definition<I extends TObject, O extends TObject> extends Described {
  readonly input: I;
  readonly output: O;
  readonly run: (input: Static<I>, call: Call) => Promise<Answer<Static<O>>>;
}

/** Where a wrong argument is said to be. */
const place = "/arguments";

const fits = <S extends TObject>(schema: S, value: unknown): value is Static<S> => checker(schema).Check(value);

/** A tool of a definition whose types belong together: arguments are checked before its function sees them. */
export const tool = <I extends TObject, O extends TObject>(definition: Definition<I, O>): Tool => ({
  ...definition,
  async run(given, call) {
    if (!fits(definition.input, given)) throw new Failure("validation_error", problems(definition.input, given, place));
    return definition.run(given, call);
  },
});

/** Reading costs nothing and changes nothing. */
export const reading: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** An error of a tool's own, that no REST route answers with. */
export class ToolFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What the caller should do. */
    readonly next: string,
    readonly credits = 0,
  ) {
    super(message);
    this.name = "ToolFailure";
  }
}

/** An error as a tool's result carries it. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly details?: readonly Detail[];
}

/** Places as a tool's caller knows them. */
const placed = (details: readonly Detail[]): Detail[] =>
  details.map(({ path, message }) => ({ path: path.replace(/^\/body/, place), message }));

/** What to do about a code of the catalogue, in one line. */
const nextOf = (code: ErrorCode): string => [...advice[code].steps, `Retry: ${advice[code].retry}`].join(" ");

/** What was thrown, as the caller is told it; undefined for what is a mistake of ours. */
export function toolErrorOf(error: unknown): ToolError | undefined {
  if (error instanceof ToolFailure) return { code: error.code, message: error.message, next: error.next };
  if (!(error instanceof Failure)) return undefined;
  const { code, details } = error;
  return {
    code,
    message: messageOf(code),
    next: code === "validation_error" ? "Correct the places that details name, then call again." : nextOf(code),
    ...(details.length > 0 && { details: placed(details) }),
  };
}

/** The answer to whatever went wrong inside. */
export const internalError: ToolError = {
  code: "internal_error",
  message: messageOf("internal_error"),
  next: nextOf("internal_error"),
};
