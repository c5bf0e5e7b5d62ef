import { type Static, Type as T, type TObject } from "@sinclair/typebox";
import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { type Detail, type ErrorCode, Failure, messageOf } from "../../platform/errors.ts";
import { lowerCaseIds } from "../../platform/lower-case-ids.ts";
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
  /** What to do about a code where the tool knows better than the catalogue's advice for `/mcp`. */
  readonly advice?: Partial<Readonly<Record<ErrorCode, string>>>;
  /** False: for this caller there is no such tool. Absent: there is. */
  readonly exists?: (caller: Caller) => boolean;
  /** False: it is not listed, and a call says why it refuses. Absent: it is listed to those who have the scopes. */
  readonly offered?: (caller: Caller) => boolean;
}

export interface Tool extends Described {
  readonly input: TObject;
  /** Null: it answers with text alone, so that a long one is there once, whichever part of a result a client reads. */
  readonly output: TObject | null;
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

/** A tool of a definition whose types belong together: arguments are checked, and their ids lower, before its function sees them. */
export const tool = <I extends TObject, O extends TObject>(definition: Definition<I, O>): Tool => ({
  ...definition,
  async run(given, call) {
    if (!fits(definition.input, given)) throw new Failure("validation_error", problems(definition.input, given, place));
    lowerCaseIds(definition.input, given);
    return definition.run(given, call);
  },
});

interface TextDefinition<I extends TObject> extends Described {
  readonly input: I;
  readonly text: (input: Static<I>, call: Call) => Promise<string>;
}

/** A tool whose answer is to be read, not computed with. */
export function textTool<I extends TObject>({ text, ...described }: TextDefinition<I>): Tool {
  const { run } = tool({
    ...described,
    output: T.Object({}),
    run: async (input, call) => ({ value: {}, text: await text(input, call) }),
  });
  return { ...described, output: null, run };
}

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
  details.map(({ path, message }) => ({ path: path.replace(/^\/(body|path|query)/, place), message }));

/** Where the REST API's advice speaks of what `/mcp` has not: headers, bodies and modes. */
const adviceHere: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_api_key: "Connect again with a valid credential.",
  quota_exceeded: "Stop. Ask the account's owner to raise the quota; it is renewed with the month.",
  missing_scope: "Tell the person which scope is missing; they can grant it by connecting again.",
  not_found: "Check the id or slug. What belongs to somebody else is as unknown as what does not exist.",
  idempotency_conflict: "Use a new idempotency key for the new input, or the old input with this one.",
  quote_invalid: "Quote exactly this input again.",
  commercial_validation_required:
    "Do not retry. Tell the person: the operator of the installation decides when it opens.",
  payload_too_large: "Send less in one call: fewer or shorter texts.",
  validation_error: "Correct the places that details name, then call again.",
  rate_limit_exceeded: "Wait a minute before the next attempt.",
  capability_runs_disabled: "Call again later; it is not permanent.",
  database_unavailable: "Call again in a minute, with the same idempotency key.",
  internal_error: "Call again once, with the same idempotency key. If it fails again, tell the operator.",
};

/** What to do about a code of the catalogue, in one line. */
const nextOf = (code: ErrorCode): string =>
  adviceHere[code] ?? [...advice[code].steps, `Retry: ${advice[code].retry}`].join(" ");

/** What was thrown, as the caller of the tool is told it; undefined for what is a mistake of ours. */
export function toolErrorOf(error: unknown, asked?: Pick<Tool, "advice">): ToolError | undefined {
  if (error instanceof ToolFailure) return { code: error.code, message: error.message, next: error.next };
  if (!(error instanceof Failure)) return undefined;
  const { code, details } = error;
  return {
    code,
    message: messageOf(code),
    next: asked?.advice?.[code] ?? nextOf(code),
    ...(details.length > 0 && { details: placed(details) }),
  };
}

/** The answer to whatever went wrong inside. */
export const internalError: ToolError = {
  code: "internal_error",
  message: messageOf("internal_error"),
  next: nextOf("internal_error"),
};
