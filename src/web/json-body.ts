import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { type Detail, Failure, invalid } from "../platform/errors.ts";
import { beyondBounds } from "../platform/json-bounds.ts";
import { inexactNumberAt, wantsExact } from "../platform/json-numbers.ts";
import type { Runtime } from "../platform/runtime.ts";
import { problems, shownPath } from "../platform/validate.ts";
import { bodyAborted } from "./bounded-body.ts";

/** The media type is case-insensitive, and may have parameters (RFC 9110, 8.3.1). */
const json = /^application\/json\s*(;|$)/i;
/** Another encoding than that of bodies. US-ASCII is a part of it. */
const otherCharset = /;\s*charset\s*=\s*(?!"?(utf-?8|us-ascii)"?\s*(;|$))/i;

/** `Request.text()` would put U+FFFD where the bytes are no UTF-8: a text that nobody sent, kept and signed for. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const wrong = (message: string, at = "") => ({ wrong: { path: shownPath(`/body${at}`), message } });

/** A body's bytes as JSON, or what is wrong with them: for the adapter, and for whatever reads its request itself. */
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

/** Bytes from which a body waits for its turn. */
const large = 65_536;

/**
 * Large bodies one after the other: each is parsed in a turn of the event loop, and what is made of it begins in the
 * next, so that hundreds at once hold nobody else up.
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
 * A request's body as JSON, for the adapter; undefined where there is none, which is left to the schema. Throws
 * `validation_error` for anything else. Large ones are parsed in turns.
 */
export async function readJson(request: Request, turns: BodyTurns): Promise<unknown> {
  const bytes = await request.bytes().catch(() => {
    throw bodyAborted();
  });
  if (bytes.length === 0) return undefined;
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    throw invalid("/header/content-encoding", "must be absent: bodies are taken as they are, not compressed");
  const type = request.headers.get("content-type") ?? "";
  if (!json.test(type)) throw invalid("/header/content-type", "must be application/json");
  if (otherCharset.test(type)) throw invalid("/header/content-type", "must be application/json in UTF-8");
  return bytes.length > large ? turns.take(() => parsed(bytes)) : parsed(bytes);
}

/**
 * Throws `validation_error` for a body that does not fit. The framework would refuse it too, but writes the body and
 * sixty-four of its errors into one text to say so: a megabyte takes it seconds, and a property called `toString` or deep
 * nesting ends it with an error.
 */
export function checkBody(schema: TSchema, body: unknown): void {
  if (body === undefined && TypeGuard.IsOptional(schema)) return;
  const details = problems(schema, body, "/body");
  if (details.length > 0) throw new Failure("validation_error", details);
}
