import { type Static, Type as T, type TObject } from "@sinclair/typebox";
import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { type Detail, type ErrorCode, Failure, messageOf } from "../../platform/errors.ts";
import { lowerCaseIds } from "../../platform/lower-case-ids.ts";
import { checker, problems } from "../../platform/validate.ts";
import { advice } from "../docs/errors.ts";

/**
 * The definition of a tool, independent of any SDK: schemas, scopes, text and a function. `server.ts` adapts it to the
 * protocol; each group of tools is a module that creates some (`tools-docs.ts` and its siblings).
 */

/** The caller, and the firm's entitlements. */
export interface Caller {
  readonly principal: Principal;
  readonly entitlements: readonly string[];
}

/** One call of a tool. */
export interface Call extends Caller {
  /** Aborted when the client disconnects or cancels the call. */
  readonly signal: AbortSignal;
  /** Reports progress to the client, if it asked for it. */
  progress(done: number, total: number, message: string): Promise<void>;
  /** The client's idempotency key. */
  readonly idempotency_key: string | undefined;
}

/** The result of a tool. */
export interface Answer<Value = unknown> {
  /** Matches the tool's output schema. */
  readonly value: Value;
  /** A short text with the same content, complete enough for a client that shows only text. */
  readonly text: string;
}

/** The protocol's hints about a tool's effects. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

interface Described {
  readonly name: string;
  readonly title: string;
  /** Short; longer text belongs in `get_capability`. */
  readonly description: string;
  /** All of them are required. A call without one gets 403, which names the missing scopes. */
  readonly scopes: readonly Scope[];
  readonly hints: Hints;
  /** Advice for error codes for which the tool has a better one than `/mcp` in general. */
  readonly advice?: Partial<Readonly<Record<ErrorCode, string>>>;
  /** Whether the tool exists for the caller; absent if it exists for everyone. */
  readonly exists?: (caller: Caller) => boolean;
  /**
   * Whether the tool is listed; a call of an unlisted one returns why it is refused. Absent if it is listed for
   * everyone with its scopes.
   */
  readonly offered?: (caller: Caller) => boolean;
}

export interface Tool extends Described {
  readonly input: TObject;
  /**
   * Null if the tool returns only text, so that a long text is sent once, whichever part of a result a client reads.
   */
  readonly output: TObject | null;
  /** Validates the arguments and executes the call. Throws `Failure` and `ToolFailure`. */
  run(given: unknown, call: Call): Promise<Answer>;
}

interface Definition<I extends TObject, O extends TObject> extends Described {
  readonly input: I;
  readonly output: O;
  readonly run: (input: Static<I>, call: Call) => Promise<Answer<Static<O>>>;
}

/** Path prefix of problems with arguments. */
const place = "/arguments";

const fits = <S extends TObject>(schema: S, value: unknown): value is Static<S> => checker(schema).Check(value);

/**
 * Creates a tool from a typed definition. Arguments are validated, and ids in them lower-cased, before its function is
 * called.
 */
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

/** Creates a tool whose result is text to read. */
export function textTool<I extends TObject>({ text, ...described }: TextDefinition<I>): Tool {
  const { run } = tool({
    ...described,
    output: T.Object({}),
    run: async (input, call) => ({ value: {}, text: await text(input, call) }),
  });
  return { ...described, output: null, run };
}

/** Hints for tools that only read: they are free and change nothing. */
export const reading: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** An error specific to a tool, which no REST route returns. */
export class ToolFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What the caller should do next. */
    readonly next: string,
  ) {
    super(message);
    this.name = "ToolFailure";
  }
}

/** An error in a tool's result. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly details?: readonly Detail[];
}

/** Rewrites REST paths of problems to paths in the arguments. */
const placed = (details: readonly Detail[]): Detail[] =>
  details.map(({ path, message }) => ({ path: path.replace(/^\/(body|path|query)/, place), message }));

/** Advice for `/mcp` where the REST advice mentions things it does not have: headers, bodies and modes. */
const adviceHere: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_api_key: "Connect again with a valid credential.",
  quota_exceeded: "Stop, and ask the account's owner: the operator can raise the quota. It resets each month.",
  missing_scope: "Tell the person which scope is missing; they can grant it by connecting again.",
  not_found: "Check the id or slug. What belongs to someone else is reported as not found too.",
  idempotency_conflict: "Use a new idempotency key for the new input, or the old input with this one.",
  quote_invalid: "Quote exactly this input again.",
  commercial_validation_required:
    "Do not retry. Tell the person: the operator of the installation decides when it opens.",
  payload_too_large: "Send less in one call: fewer or shorter texts.",
  validation_error: "Correct the arguments named in details, then call again.",
  rate_limit_exceeded: "Wait a minute before the next attempt.",
  capability_runs_disabled: "Call again later; it is not permanent.",
  database_unavailable: "Call again in a minute, with the same idempotency key.",
  internal_error: "Call again once, with the same idempotency key. If it fails again, tell the operator.",
};

/** Returns the advice for an error code, in one line. */
const nextOf = (code: ErrorCode): string =>
  adviceHere[code] ?? [...advice[code].steps, `Retry: ${advice[code].retry}`].join(" ");

/** Converts a thrown error for the caller; undefined for an internal error. */
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

/** The error returned for internal failures. */
export const internalError: ToolError = {
  code: "internal_error",
  message: messageOf("internal_error"),
  next: nextOf("internal_error"),
};
