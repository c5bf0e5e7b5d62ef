import type { Static, TObject, TOptional, TSchema } from "@sinclair/typebox";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Access } from "./access.ts";
import type { ResponseObject } from "./openapi-document.ts";
import type { Prerendered } from "./prerendered.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** The status and headers of the response to a handler's value. Default: 200, JSON. */
interface Outgoing {
  status?: number;
  readonly headers: Record<string, string>;
}

/** What a handler receives. Only parts for which the route has a schema are typed, since only those are validated. */
export interface RouteContext<Params = unknown, Query = unknown, Headers = unknown, Body = unknown> {
  readonly request: Request;
  readonly params: Params;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body: Body;
  readonly set: Outgoing;
}

/** The input of a route that reads its request itself, for its description only. */
export interface OwnInput {
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly form?: TSchema;
}

/** A route's description in the API reference. */
export interface RouteDetail {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Responses that no schema in `response` describes. */
  readonly responses?: Readonly<Record<number, ResponseObject>>;
}

/** A route, untyped: for the adapter, the edge and the reference. */
export interface Route {
  readonly method: Method;
  /** Parameters as `:name`; `*` at the end for the rest. */
  readonly path: string;
  readonly access: Access;
  readonly params?: TSchema;
  /** Integer members are parsed from canonical decimal text. */
  readonly query?: TObject;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** By status. A value that does not fit becomes a logged 500. */
  readonly response?: Readonly<Record<number, TSchema>>;
  /**
   * Set if the route reads its request itself; describes what it takes. Neither credential nor body is checked before
   * the handler runs.
   */
  readonly ownInput?: OwnInput;
  /**
   * Maximum body size in bytes, if a route without credential accepts more than the default. The installation's limit
   * still applies.
   */
  readonly bodyLimit?: number;
  /**
   * The body is a file of at most this many bytes, regardless of the installation's limit. The handler reads it as a
   * stream, after the caller is authorised and the rest of the request validated.
   */
  readonly file?: { readonly bytesAtMost: number };
  /**
   * The cached response of an open GET without a query. A client with a current copy gets 304 at the edge, before
   * routing, because lists that seldom change are requested again and again.
   */
  readonly prerendered?: () => MaybePromise<Prerendered>;
  readonly detail: RouteDetail | "hidden";
  // A method, so that a handler with a narrower context is assignable; the adapter validates before it calls.
  handler(context: RouteContext): unknown;
}

type Responses = Readonly<Record<number, TSchema>>;
type BodyOf<S extends TSchema> = S extends TOptional<TSchema> ? Static<S> | undefined : Static<S>;
type SuccessOf<R extends Responses> = R[keyof R & (200 | 201 | 202)];
/** A response, or a value that fits one of the declared success schemas. */
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
 * Defines a route: its input, who may call it, and its responses. The handler's context is typed by the schemas. The
 * only way to create a route; only `adapter.ts` knows the framework that serves it.
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
