import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Role } from "../../db/schema/tables.ts";
import type { Scope } from "../contracts/scopes.ts";
import type { Identity, Principal } from "../identity/principal.ts";
import { assert } from "../platform/assert.ts";
import { Failure, failure, invalid } from "../platform/errors.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import { deepestNesting, isNestedTooDeep } from "../platform/nesting.ts";
import { problems } from "../platform/validate.ts";
import type { AttemptGuard } from "./attempts.ts";
import { bodyAborted } from "./bounded-body.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./request-context.ts";

/**
 * Who may call a route. `none`: anybody. Key: API keys. Platform and Bearer: API key or access token. Session and
 * Token: access token. Wherever an access token is taken, so is a browser session's cookie. Every route declares one, or
 * the server does not start (`edge.ts`). MCP: whatever opens `/mcp`, which checks it itself and challenges as MCP asks.
 */
export type Credential = "none" | "Key" | "Platform" | "Session" | "Token" | "Bearer" | "MCP";

export interface Access {
  readonly credential: Credential;
  /** The caller needs all of them. */
  readonly scopes?: readonly Scope[];
  /** The caller needs one of them. */
  readonly anyScope?: readonly Scope[];
  /** Roles that may call, where scopes do not say it. */
  readonly roles?: readonly Role[];
  /** What the caller's firm must hold, by the values in the path. */
  readonly entitlements?: (params: Readonly<Record<string, string>>) => readonly string[];
  /** Without a credential the route answers too. */
  readonly optional?: true;
}

/** Finds a caller by the cookies of a browser's session. */
export interface CookieReader {
  /** Undefined: there is no session, or the request is none that a cookie may vouch for. */
  identify(request: Request): Promise<Principal | undefined>;
}

const takesKeys = (credential: Credential) => credential !== "Session" && credential !== "Token";
const takesTokens = (credential: Credential) => credential !== "Key";

/** Where a route says what it needs, for the start-up check and the refusal tests. */
export const accessExtension = "x-assay-access";

/** As OpenAPI's `security`: an empty alternative means that no credential is asked for. */
function security({ credential, optional }: Access) {
  if (credential === "none") return [];
  const key = takesKeys(credential) ? [{ apiKey: [] }] : [];
  const token = takesTokens(credential) ? [{ accessToken: [] }] : [];
  return [...key, ...token, ...(optional ? [{}] : [])];
}

function permit(need: Access, principal: Principal): void {
  const { scopes = [], anyScope, roles } = need;
  const lacks = scopes.some((scope) => !principal.scopes.has(scope));
  const lacksAny = anyScope?.every((scope) => !principal.scopes.has(scope)) ?? false;
  const otherRole = roles !== undefined && !roles.includes(principal.role);
  if (lacks || lacksAny || otherRole) throw failure("missing_scope");
}

interface Hooked {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * The hook, with a text that the framework can't read. It reads every hook's to see what of a request it has to prepare,
 * and takes one that hands its context on for one that wants all of it: cookies, query, headers, and a second response
 * in front of ours to merge those cookies into. What a handler and the schemas name is prepared all the same.
 */
const unread = <H extends (hooked: Hooked) => Promise<void>>(hook: H): H => hook.bind(undefined) as H;

/**
 * The `access` macro: `{ access: { credential: "Platform", scopes: ["runs:read"] } }`. Credential (401) and scope (403)
 * come before the input (422), so the check sits in the hooks in front of validation; the handler asks `callerOf(request)`.
 */
export function accessControl(identity: Identity, attempts: AttemptGuard, cookies: CookieReader) {
  function identify(request: Request, need: Access): MaybePromise<Principal | undefined> {
    const header = request.headers.get("authorization");
    if (header === null) return takesTokens(need.credential) ? cookies.identify(request) : undefined;
    // The scheme is case-insensitive (RFC 9110, 11.1).
    if (header.slice(0, 7).toLowerCase() !== "bearer ") throw failure("invalid_api_key");
    const given = header.slice(7);
    attempts.check(() => clientAddress(request));
    const isKey = given.startsWith("assay_sk_");
    const found =
      isKey && takesKeys(need.credential)
        ? identity.byApiKey(given)
        : !isKey && takesTokens(need.credential)
          ? identity.byAccessToken(given)
          : undefined;
    return chain(found, (caller) => {
      if (caller) return caller;
      attempts.count(clientAddress(request));
      throw failure("invalid_api_key");
    });
  }

  const entitled = (wanted: readonly string[], { firm_id }: Principal): MaybePromise<void> =>
    chain(identity.entitlements(firm_id), (held) => {
      if (wanted.some((name) => !held.includes(name))) throw failure("missing_scope");
    });

  /** Without a promise for a key that is remembered, as nearly every request has one. */
  function authorize({ request, params }: Hooked, need: Access): MaybePromise<void> {
    if (need.credential === "none") return;
    return chain(identify(request, need), (principal) => {
      if (!principal) {
        if (need.optional) return;
        throw failure("invalid_api_key");
      }
      permit(need, principal);
      const wanted = need.entitlements?.(params) ?? [];
      return chain(wanted.length > 0 ? entitled(wanted, principal) : undefined, () => {
        contextOf(request).principal = principal;
      });
    });
  }

  return new Elysia({ name: "access" }).macro({
    access: (need: Access) => {
      let schema: TSchema | undefined;
      return {
        detail: { security: security(need), [accessExtension]: need },
        introspect: ({ body }: { body?: TSchema }) => {
          schema = body;
        },
        // The framework's own parser opens each body as a stream first, which costs more than reading it. Its type leaves
        // this word out, which a route may say.
        parse: "none" as never,
        transform: unread(async (hooked: Hooked) => {
          const authorized = authorize(hooked, need);
          if (authorized) await authorized;
          if (hooked.request.method === "GET") return;
          hooked.body = await readJson(hooked.request);
          if (schema) checkBody(schema, hooked.body);
        }),
      };
    },
  });
}

/** Who called, for the handler of a route that asks for a credential. */
export function callerOf(request: Request): Principal {
  const { principal } = contextOf(request);
  assert(principal, "the route asks for a credential");
  return principal;
}

/** Who called, where the credential is optional. */
export const callerIfAny = (request: Request): Principal | undefined => contextOf(request).principal;

/**
 * Refuses a body that does not fit. The framework would too, but writes the body and sixty-four of its errors into one
 * text to say so: a megabyte takes it seconds, and a property called `toString` or deep nesting ends it with an error.
 */
function checkBody(schema: TSchema, body: unknown): void {
  if (body === undefined && TypeGuard.IsOptional(schema)) return;
  const details = problems(schema, body, "/body");
  if (details.length > 0) throw new Failure("validation_error", details);
}

/** A media type is told in any case, with or without parameters (RFC 9110, 8.3.1). */
const json = /^application\/json\s*(;|$)/i;

/** A body is JSON or refused; no body at all is left to the schema. */
async function readJson(request: Request): Promise<unknown> {
  const text = await request.text().catch(() => {
    throw bodyAborted();
  });
  if (text === "") return undefined;
  if (!json.test(request.headers.get("content-type") ?? ""))
    throw invalid("/header/content-type", "must be application/json");
  const value = parsed(text);
  if (isNestedTooDeep(value)) throw invalid("/body", `must not be nested deeper than ${deepestNesting} levels`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("/body", "must be JSON");
  }
}

export type AccessControl = ReturnType<typeof accessControl>;
