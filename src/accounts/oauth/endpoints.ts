import type { AttemptGuard } from "../../web/attempts.ts";
import { clientAddress } from "../../web/client-address.ts";
import { jsonIn } from "../../web/json-body.ts";
import type { Clients } from "./clients.ts";
import { answering, OAuthError, protocolAnswer } from "./errors.ts";
import { type Parameters, parametersOf } from "./request.ts";
import type { TokenService } from "./tokens.ts";

export interface EndpointsOptions {
  readonly clients: Clients;
  readonly tokens: TokenService;
  /** Limits registrations by address. */
  readonly registrations: AttemptGuard;
  /** Limits rejected codes and tokens by address. */
  readonly attempts: AttemptGuard;
}

const mediaType = (request: Request): string =>
  request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

/** Parses a form-encoded body. Throws `invalid_request` for anything else. */
async function formOf(request: Request): Promise<Parameters> {
  if (mediaType(request) !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  return parametersOf(new URLSearchParams(await request.text()));
}

async function metadataOf(request: Request): Promise<unknown> {
  if (mediaType(request) !== "application/json")
    throw new OAuthError("invalid_client_metadata", "The body must be application/json.");
  const read = jsonIn(await request.bytes());
  if ("wrong" in read) throw new OAuthError("invalid_client_metadata", `The body ${read.wrong.message}.`);
  return read.value;
}

function needed(form: Parameters, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is required.`);
  return value;
}

const tooMany = () => new OAuthError("temporarily_unavailable", "Too many requests. Wait a minute.", 429);

/** Creates the endpoints that programs call: registration, token and revocation. */
export function createEndpoints({ clients, tokens, registrations, attempts }: EndpointsOptions) {
  /** Returns the id of the public client that calls; there are no secrets to check. */
  async function clientOf(request: Request, form: Parameters): Promise<string> {
    if (request.headers.get("authorization") !== null)
      throw new OAuthError(
        "invalid_client",
        "Clients don't authenticate at this server: send only client_id, in the body.",
        401,
        "Basic",
      );
    const client_id = needed(form, "client_id");
    if (!(await clients.isKnown(client_id))) throw new OAuthError("invalid_client", "Unknown client.", 401);
    return client_id;
  }

  async function granted(request: Request): Promise<Response> {
    const form = await formOf(request);
    const grant = needed(form, "grant_type");
    const client_id = await clientOf(request, form);
    const { scope, resource, redirect_uri } = form;
    if (grant === "authorization_code") {
      const given = { client_id, redirect_uri, code: needed(form, "code"), verifier: needed(form, "code_verifier") };
      return protocolAnswer(await tokens.exchange(given, resource, request.headers.get("user-agent")));
    }
    if (grant === "refresh_token") {
      const given = { client_id, scope, resource, refresh_token: needed(form, "refresh_token") };
      return protocolAnswer(await tokens.refresh(given));
    }
    throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
  }

  return {
    register: (request: Request): Promise<Response> =>
      answering(async () => {
        const address = clientAddress(request);
        if (registrations.isExhausted(address)) throw tooMany();
        registrations.count(address);
        return protocolAnswer(await clients.register(await metadataOf(request)), 201);
      }),
    token: (request: Request): Promise<Response> =>
      answering(async () => {
        try {
          return await granted(request);
        } catch (error) {
          if (!(error instanceof OAuthError) || error.code !== "invalid_grant") throw error;
          const address = clientAddress(request);
          if (attempts.isExhausted(address)) throw tooMany();
          attempts.count(address);
          throw error;
        }
      }),
    revoke: (request: Request): Promise<Response> =>
      answering(async () => {
        const form = await formOf(request);
        await tokens.revoke(needed(form, "token"), await clientOf(request, form));
        return protocolAnswer({});
      }),
  };
}
