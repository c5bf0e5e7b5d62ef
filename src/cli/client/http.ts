import type { Static, TSchema } from "@sinclair/typebox";
import { checker } from "../../platform/validate.ts";
import type { ErrorBody } from "../../web/errors.ts";
import { surfaceHeader } from "../../web/surface.ts";
import { CommandError, type Io } from "../io.ts";
import { harmless } from "./screen.ts";
import { sessionCredential } from "./session.ts";
import { type ClientOptions, clientSettings, flagOf, optionOf, type Settings } from "./settings.ts";
import { send, type Talk } from "./transport.ts";

/** Returns the exit code for an error, over REST and at `/mcp` alike: by its code, else by its status. */
export function exitOf(code: string | undefined, status: number | undefined): 1 | 2 | 3 | 4 {
  if (code === "validation_error") return 2;
  if (status === 401 || status === 403) return 3;
  return status === 402 ? 4 : 1;
}

/** An error from the API: exit 2 for an invalid request, 3 for 401 and 403, 4 for 402, else 1. */
export class ApiError extends CommandError {
  constructor(
    readonly status: number,
    message: string,
    hint?: string,
    /** The API's error body, unparsed. */
    readonly body?: string,
    code?: string,
  ) {
    super(exitOf(code, status), message, hint);
  }
}

export interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Api {
  readonly baseUrl: string;
  /** Returns how the person gave the value at a path of a request: as `--status`, for example. */
  given(path: string): string;
  /** Returns the response body, unparsed. Throws `ApiError`, `Unreachable`, and the signal's reason when it aborts. */
  request(method: "GET" | "POST" | "DELETE", path: string, call?: Call): Promise<string>;
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error && "message" in error)) return false;
  return typeof error.code === "string" && (!("details" in error) || Array.isArray(error.details));
}

/** Parses JSON. Returns `undefined` if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The commands that list what can be read under a path. */
const lists = [
  ["/v1/runs/", "assay runs list"],
  ["/v1/jobs/", "assay jobs list"],
  ["/v1/validator/validations/", "assay validations list"],
] as const;

function hintFor(code: string, path: string, settings: Settings): string | undefined {
  if (code === "not_found") {
    const [, command] = lists.find(([start]) => path.startsWith(start)) ?? [];
    return command && `List those you have access to with: ${command}`;
  }
  if (code === "missing_scope") return settings.credential && `The credential came from ${settings.credential.origin}.`;
  if (code === "invalid_api_key")
    return settings.credential
      ? `The credential came from ${settings.credential.origin}. ${settings.credentialHint}`
      : settings.credentialHint;
  if (code === "capability_runs_disabled")
    return "If you operate the server, run `assay admin gates open platform`, then the same with the slug.";
  return undefined;
}

/** Names the value at a path of a request as the person gave it: an option, or an id in the address. */
const givenBy =
  (options: object): Api["given"] =>
  (path) => {
    const [, part = "", name = ""] = /^\/(path|query|body|arguments)\/(\w+)$/.exec(path) ?? [];
    if (part === "path") return `the ${name.replaceAll("_", " ")}`;
    if (Object.hasOwn(options, optionOf(name))) return flagOf(name);
    return path.replace(/^\/arguments\//, "");
  };

/** What an answer is about. */
interface Asked {
  readonly path: string;
  readonly settings: Settings;
  readonly given: Api["given"];
}

function refusal(response: Response, text: string, { path, settings, given }: Asked): ApiError {
  const body = parsed(text);
  const { status, headers } = response;
  if (!isErrorBody(body)) {
    const hint = `Is ${settings.baseUrl} the address of an Assay server? Set it with --base-url or ASSAY_BASE_URL.`;
    return new ApiError(status, `The server answered ${status} ${response.statusText}`.trim(), hint);
  }
  const { code, message, details = [] } = body.error;
  const lines = [`${message} (${code})`, ...details.map((detail) => `  ${given(detail.path)} ${detail.message}`)];
  if (status >= 500) lines.push(`  X-Request-Id: ${headers.get("x-request-id") ?? "none"}`);
  return new ApiError(status, harmless(lines.join("\n")), hintFor(code, path, settings), text, code);
}

/** Fetches a public document, without a credential. */
export async function fetchPublic(talk: Talk, url: string): Promise<string> {
  const [response, text] = await send(talk, url, {});
  if (response.ok) return text;
  throw new CommandError(1, `${url} answered ${response.status} ${response.statusText}`.trim());
}

/** Creates a client for the API of one server, with one credential. Errors name a value by its option, if it has one. */
export function createApi(talk: Talk, settings: Settings, options: object = {}): Api {
  const { baseUrl, credential } = settings;
  const given = givenBy(options);
  return {
    baseUrl,
    given,
    async request(method, path, { body, headers, signal } = {}) {
      const init = {
        method,
        headers: {
          accept: "application/json, application/jose",
          [surfaceHeader]: "cli",
          ...(credential && { authorization: `Bearer ${credential.secret}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      const [response, text] = await send(talk, baseUrl + path, init, signal);
      if (response.ok) return text;
      const elsewhere = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && elsewhere)
        throw new ApiError(
          response.status,
          `The server redirects to ${harmless(elsewhere)}.`,
          "Set --base-url to the new address.",
        );
      throw refusal(response, text, { path, settings, given });
    },
  };
}

/** Creates an API client from flags, environment and settings file: with a key, else with the sign-in's token. */
export async function apiFor(io: Io, options: ClientOptions): Promise<Api> {
  const settings = await clientSettings(io, options);
  const credential = settings.credential ?? (await sessionCredential(io, settings));
  return createApi(io, { ...settings, credential }, options);
}

/** Schema keywords that a client does not enforce: a server may add members and use formats unknown here. */
const servers = ["additionalProperties", "format"];

/** Returns the schema without those keywords. `named`: the members are properties, whose names are not keywords. */
function opened(part: unknown, named = false): unknown {
  if (Array.isArray(part)) return part.map((item) => opened(item));
  if (typeof part !== "object" || part === null) return part;
  const members = Reflect.ownKeys(part).filter((key) => named || !servers.includes(String(key)));
  return Object.fromEntries(
    members.map((key) => [key, opened(Reflect.get(part, key), key === "properties" && !named)]),
  );
}

const openSchemas = new WeakMap<TSchema, TSchema>();

/** Returns whether a value matches a schema, ignoring members added by a newer server. */
export function conforms<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  const open = openSchemas.get(schema) ?? (opened(schema) as TSchema);
  openSchemas.set(schema, open);
  return checker(open).Check(value);
}

/** Parses a body by its schema. Throws `CommandError` if it does not match; `--json` would still print it. */
export function bodyOf<S extends TSchema>(schema: S, text: string): Static<S> {
  const body = parsed(text);
  if (conforms(schema, body)) return body;
  throw new CommandError(
    1,
    `The answer is not a ${schema.title ?? "record"} that this version knows.`,
    "See it with --json. Check --base-url, and that `assay version` here and on the server are the same.",
  );
}

/** Returns `?a=1&b=2` for the members that are defined, or an empty string. */
export function queryOf(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}
