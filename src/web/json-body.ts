import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Failure, invalid } from "../platform/errors.ts";
import { beyondBounds } from "../platform/json-bounds.ts";
import type { Runtime } from "../platform/runtime.ts";
import { problems } from "../platform/validate.ts";
import { bodyAborted } from "./bounded-body.ts";

/** The media type is case-insensitive, and may have parameters (RFC 9110, 8.3.1). */
const json = /^application\/json\s*(;|$)/i;

function parsed(text: string): unknown {
  const problem = beyondBounds(text);
  if (problem) throw invalid("/body", problem);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("/body", "must be JSON");
  }
}

/** Characters from which a body waits for its turn. */
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
  const text = await request.text().catch(() => {
    throw bodyAborted();
  });
  if (text === "") return undefined;
  if (!json.test(request.headers.get("content-type") ?? ""))
    throw invalid("/header/content-type", "must be application/json");
  return text.length > large ? turns.take(() => parsed(text)) : parsed(text);
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
