import type { TObject } from "@sinclair/typebox";
import { type Detail, Failure } from "../platform/errors.ts";
import { lowerCaseIds } from "../platform/lower-case-ids.ts";
import { detailLimit, shownPath } from "../platform/validate.ts";

/** Throws `validation_error` if there are any problems with parameters. */
function refuse(wrong: readonly { readonly name: string; readonly message: string }[]): void {
  if (wrong.length === 0) return;
  const details = wrong.map(({ name, message }): Detail => ({ path: shownPath(`/query/${name}`), message }));
  throw new Failure("validation_error", details.slice(0, detailLimit));
}

/** Returns the query of a URL as it was sent; empty if there is none. */
function queryIn({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/**
 * Throws `validation_error` for any query, on a route of the API that takes none, just as unknown members of a body are
 * rejected.
 */
export function refuseQuery(request: Request): void {
  const query = queryIn(request);
  if (query === "") return;
  const names = new Set(new URLSearchParams(query).keys());
  refuse([...names].map((name) => ({ name, message: "is not a parameter of this request" })));
}

/** Decodes a part of a query; returns undefined if it is not UTF-8. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/**
 * Throws `validation_error` for repeated parameters and invalid UTF-8. The framework would use the last of a repeated
 * parameter and replace invalid bytes with U+FFFD, and so answer another question than was asked.
 */
function checkQuery(query: string, lists: ReadonlySet<string>): void {
  const seen = new Set<string>();
  const wrong = new Map<string, string>();
  for (const member of query.split("&")) {
    if (member === "") continue;
    const equals = member.indexOf("=");
    const raw = equals === -1 ? member : member.slice(0, equals);
    const name = decoded(raw) ?? raw;
    if (decoded(member) === undefined) wrong.set(name, "must be percent-encoded UTF-8");
    else if (seen.has(name) && !lists.has(name)) wrong.set(name, "must be given once");
    seen.add(name);
  }
  refuse([...wrong].map(([name, message]) => ({ name, message })));
}

/** Canonical decimal: not `0x10`, `1e1`, `+1`, `01` or with spaces. */
const canonicalInteger = /^-?(0|[1-9]\d{0,14})$/;

/**
 * Returns a function that prepares a request's query for validation, in place: ids in lower case, integers as numbers,
 * so that a plain integer schema stays one in OpenAPI. It throws `validation_error` for a malformed query.
 */
export function queryReader(schema: TObject): (request: Request, members: Record<string, unknown>) => void {
  const ofType = (type: string) =>
    Object.entries(schema.properties).flatMap(([name, property]) => (property.type === type ? [name] : []));
  const integers = ofType("integer");
  const lists = new Set(ofType("array"));
  return (request, members) => {
    const query = queryIn(request);
    if (query !== "") checkQuery(query, lists);
    lowerCaseIds(schema, members);
    for (const name of integers) {
      const text = members[name];
      if (typeof text === "string" && canonicalInteger.test(text)) members[name] = Number(text);
    }
  };
}
