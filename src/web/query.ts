import type { TObject } from "@sinclair/typebox";
import { type Detail, Failure } from "../platform/errors.ts";
import { lowerCaseIds } from "../platform/lower-case-ids.ts";
import { detailLimit, shownPath } from "../platform/validate.ts";

/** Throws `validation_error` for what is wrong with parameters, if anything is. */
function refuse(wrong: readonly { readonly name: string; readonly message: string }[]): void {
  if (wrong.length === 0) return;
  const details = wrong.map(({ name, message }): Detail => ({ path: shownPath(`/query/${name}`), message }));
  throw new Failure("validation_error", details.slice(0, detailLimit));
}

/** The query of an address, as it was sent; empty where it has none. */
function queryIn({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** A route of the API that takes no query refuses one, as it refuses unknown members of a body. */
export function refuseQuery(request: Request): void {
  const query = queryIn(request);
  if (query === "") return;
  const names = new Set(new URLSearchParams(query).keys());
  refuse([...names].map((name) => ({ name, message: "is not a parameter of this" })));
}

/** What a part of a query stands for; undefined where that is no UTF-8. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/**
 * The framework would take the last of a parameter that comes twice, and put U+FFFD for bytes that are no UTF-8: answers
 * to what nobody asked. Throws `validation_error` for both.
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

/** Decimal and canonical: not `0x10`, `1e1`, `+1`, `01` or blanks. */
const canonicalInteger = /^-?(0|[1-9]\d{0,14})$/;

/**
 * What makes the query of a request ready for its validation, in place: ids in lower case, integers as numbers, so that a
 * plain integer schema stays one in OpenAPI. Throws `validation_error` for a query that can't be read as one.
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
