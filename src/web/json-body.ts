import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { type Detail, Failure, invalid } from "../platform/errors.ts";
import { beyondBounds } from "../platform/json-bounds.ts";
import { inexactNumberAt, wantsExact } from "../platform/json-numbers.ts";
import type { Runtime } from "../platform/runtime.ts";
import { problems, shownPath } from "../platform/validate.ts";
import { bodyAborted } from "./bounded-body.ts";

/** The media type is case-insensitive, and may have parameters (RFC 9110, 8.3.1). */
const json = /^application\/json\s*(;|$)/i;
/** Matches any charset but UTF-8 and its subset US-ASCII. */
const otherCharset = /;\s*charset\s*=\s*(?!"?(utf-?8|us-ascii)"?\s*(;|$))/i;

/** `Request.text()` would replace invalid bytes with U+FFFD, so that a text no one sent would be stored and signed. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const wrong = (message: string, at = "") => ({ wrong: { path: shownPath(`/body${at}`), message } });

/**
 * Parses a body's bytes as JSON, or returns what is wrong with them. For the adapter, and for code that reads its
 * request itself.
 */
export function jsonIn(bytes: Uint8Array): { readonly value: unknown } | { readonly wrong: Detail } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return wrong("must be UTF-8");
  }
  const problem = beyondBounds(text);
  if (problem) return wrong(problem);
  try {
    const at = inexactNumberAt(text);
    return at === undefined ? { value: JSON.parse(text) } : wrong(wantsExact, at);
  } catch {
    return wrong("must be JSON");
  }
}

function parsed(bytes: Uint8Array): unknown {
  const read = jsonIn(bytes);
  if ("wrong" in read) throw new Failure("validation_error", [read.wrong]);
  return read.value;
}

/** Size in bytes from which a body waits for its turn. */
const large = 65_536;

/**
 * Handles large bodies one at a time: each is parsed in one turn of the event loop and processed in the next, so that
 * hundreds at once do not block other requests.
 */
export class BodyTurns {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly runtime: Pick<Runtime, "nextTurn">) {}

  async take<T>(parse: () => T): Promise<T> {
    const before = this.last;
    const { promise, resolve: over } = Promise.withResolvers<void>();
    this.last = promise;
    try {
      await before;
      await this.runtime.nextTurn();
      const value = parse();
      await this.runtime.nextTurn();
      return value;
    } finally {
      over();
    }
  }
}

/**
 * Reads a request's body as JSON, for the adapter. Returns undefined if there is none, which the schema then judges.
 * Throws `validation_error` if it is not valid JSON. Large bodies are parsed in turns.
 */
export async function readJson(request: Request, turns: BodyTurns): Promise<unknown> {
  const bytes = await request.bytes().catch(() => {
    throw bodyAborted();
  });
  if (bytes.length === 0) return undefined;
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    throw invalid("/header/content-encoding", "must be absent: compressed bodies are not accepted");
  const type = request.headers.get("content-type") ?? "";
  if (!json.test(type)) throw invalid("/header/content-type", "must be application/json");
  if (otherCharset.test(type)) throw invalid("/header/content-type", "must be application/json in UTF-8");
  return bytes.length > large ? turns.take(() => parsed(bytes)) : parsed(bytes);
}

/**
 * Throws `validation_error` for a body that does not fit. The framework would reject it too, but formats the body and
 * sixty-four errors into one text, which takes seconds for a megabyte, and fails on a property called `toString` or on
 * deep nesting.
 */
export function checkBody(schema: TSchema, body: unknown): void {
  if (body === undefined) {
    if (TypeGuard.IsOptional(schema)) return;
    throw invalid("/body", "is required: send it as JSON");
  }
  const details = problems(schema, body, "/body");
  if (details.length > 0) throw new Failure("validation_error", details);
}
