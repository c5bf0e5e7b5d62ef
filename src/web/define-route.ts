import type { Static, TObject, TOptional, TSchema } from "@sinclair/typebox";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Access } from "./access.ts";
import type { ResponseObject } from "./openapi-document.ts";
import type { Prerendered } from "./prerendered.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** The answer that a handler's value goes out with. Untouched: 200 and the headers of JSON. */
interface Outgoing {
  status?: number;
  readonly headers: Record<string, string>;
}

/** What a handler gets. Only what the route has a schema for is typed, since only that has been validated. */
export interface RouteContext<Params = unknown, Query = unknown, Headers = unknown, Body = unknown> {
  readonly request: Request;
  readonly params: Params;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body: Body;
  readonly set: Outgoing;
}

/** What a route takes that reads its request itself: for its description alone. */
export interface OwnInput {
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly form?: TSchema;
}

/** A route as the reference describes it. */
export interface RouteDetail {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Answers that no schema in `response` describes. */
  readonly responses?: Readonly<Record<number, ResponseObject>>;
}

/** A route of the product, whatever it takes: for the adapter, the edge and the reference. */
export interface Route {
  readonly method: Method;
  /** Parameters as `:name`; `*` at the end for the rest. */
  readonly path: string;
  readonly access: Access;
  readonly params?: TSchema;
  /** Members of the type integer are read from canonical decimal text. */
  readonly query?: TObject;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** By status. A value that does not fit is a logged 500. */
  readonly response?: Readonly<Record<number, TSchema>>;
  /**
   * The route reads its request itself, and this is what it takes: neither its credential nor its body is looked at
   * before its handler is called.
   */
  readonly ownInput?: OwnInput;
  /** Bytes that its body may have, where a route without credential takes more than others; the installation's bound holds. */
  readonly bodyLimit?: number;
  /**
   * The route's body is a file of at most so many bytes, whatever the installation's bound on bodies: its handler reads it
   * as it arrives, once the caller was let in and the rest of the request was checked.
   */
  readonly file?: { readonly bytesAtMost: number };
  /**
   * The response of an open GET to a request without a query. A client whose copy is current gets 304 at the edge, before
   * the request is routed: lists that seldom change are requested again and again.
   */
  readonly prerendered?: () => MaybePromise<Prerendered>;
  readonly detail: RouteDetail | "hidden";
  // A method, so that a handler of a narrower context is one of these too: the adapter validates before it calls.
  handler(context: RouteContext): unknown;
}

type Responses = Readonly<Record<number, TSchema>>;
type BodyOf<S extends TSchema> = S extends TOptional<TSchema> ? Static<S> | undefined : Static<S>;
type SuccessOf<R extends Responses> = R[keyof R & (200 | 201 | 202)];
/** A response of its own, or a value that one of the declared successes describes. */
type Returned<R extends Responses> = Response | (SuccessOf<R> extends never ? never : Static<SuccessOf<R>>);

interface Definition<P extends TSchema, Q extends TObject, H extends TSchema, B extends TSchema, R extends Responses>
  extends Omit<Route, "handler"> {
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  readonly response?: R;
  readonly handler: (
    context: RouteContext<Static<P>, Static<Q>, Static<H>, BodyOf<B>>,
  ) => Returned<R> | Promise<Returned<R>>;
}

/**
 * A route, for the routes of each noun: what it takes, who may call it, what it answers. Its handler gets what the
 * schemas say. The only way to make one; `adapter.ts` alone knows which framework serves it.
 */
export const defineRoute = <
  R extends Responses,
  P extends TSchema = never,
  Q extends TObject = never,
  H extends TSchema = never,
  B extends TSchema = never,
>(
  route: Definition<P, Q, H, B, R>,
): Route => route;
