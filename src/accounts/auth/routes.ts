import { Type as T } from "@sinclair/typebox";
import type { Keyring } from "../../identity/keyring.ts";
import { accessTokenType } from "../../identity/principal.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { closed, enumeration } from "../../platform/schema.ts";
import { callerOf } from "../../web/access.ts";
import { clientAddress } from "../../web/client-address.ts";
import { page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { languageOf } from "../pages/language.ts";
import type { Accounts } from "./accounts.ts";
import type { Origin } from "./known-origins.ts";
import {
  AuthTokenRequest,
  LogoutRequest,
  RecoverRequest,
  ResetLinkRequest,
  ResetPasswordRequest,
  SignUpRequest,
  UserUpdate,
  VerifyRequest,
} from "./requests.ts";
import { Confirmed, Session, SessionSummary, User } from "./schema.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import type { SignUp } from "./sign-up.ts";

const tags = ["Sign-in"];
const open = { credential: "none" } as const;
const personal = { credential: "Token" } as const;

/** Services used by the sign-in routes. */
interface AuthRoutesServices {
  readonly accounts: Accounts;
  readonly keyring: Keyring;
  readonly mailer: Mailer;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
}

const userAgent = (request: Request): string | null => request.headers.get("user-agent");
const originOf = (request: Request): Origin => ({ address: clientAddress(request), user_agent: userAgent(request) });
/** Returns the language that a new person's browser asks for, limited to the languages of mail. */
const localeOf = (request: Request): string => languageOf(request.headers.get("accept-language"));

/**
 * Returns a member that the schema leaves optional because it is needed only in some cases. Throws if it is missing.
 */
function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw invalid(`/body/${name}`, "is required");
  return value;
}

/** Routes for signing in and up. */
const entryRoutes = ({ signIn, signUp, sessions, accounts }: AuthRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/auth/v1/token",
    access: open,
    query: T.Object({ grant_type: enumeration("password", "refresh_token") }),
    body: AuthTokenRequest,
    response: { 200: Session, ...errorResponses(401, 422, 429) },
    detail: {
      operationId: "createSession",
      summary: "Sign in, or refresh a session",
      description:
        "`grant_type=password` takes `email` and `password`, `grant_type=refresh_token` takes `refresh_token`. A refresh token can be used once and is replaced by the returned one; reusing it later ends the session.",
      tags,
    },
    handler: async ({ query: { grant_type }, body, request }) =>
      grant_type === "password"
        ? signIn.withPassword(needed(body.email, "email"), needed(body.password, "password"), originOf(request))
        : sessions.refresh(needed(body.refresh_token, "refresh_token")),
  }),
  defineRoute({
    method: "POST",
    path: "/auth/v1/signup",
    access: open,
    body: SignUpRequest,
    response: { 200: T.Union([Session, User]), ...errorResponses(422, 429) },
    detail: {
      operationId: "signUp",
      summary: "Sign up",
      description:
        "With `invite`, joins the inviting firm; otherwise creates a new firm. Returns a session, or only the user if the e-mail address has to be confirmed first.",
      tags,
    },
    handler: ({ body, request }) => signUp.signUp(body, localeOf(request), originOf(request)),
  }),
  defineRoute({
    method: "POST",
    path: "/auth/v1/verify",
    access: open,
    body: VerifyRequest,
    response: { 200: T.Union([Session, Confirmed]), ...errorResponses(401, 422) },
    detail: {
      operationId: "verifyEmail",
      summary: "Confirm an e-mail address",
      description:
        "With the token from the link that was sent to it, which can be used once. Returns a session for a new account, and only the user for a changed address.",
      tags,
    },
    handler: ({ body, request }) => {
      const token = body.token ?? body.token_hash;
      return accounts.confirmEmail(needed(token, "token"), userAgent(request));
    },
  }),
];

/** The `scope` of GoTrue's logout: all sessions, all others, or this one (the default). */
const LogoutQuery = T.Object({ scope: T.Optional(enumeration("global", "local", "others")) });

const leaveRoutes = ({ keyring, sessions }: AuthRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/auth/v1/logout",
    access: open,
    query: LogoutQuery,
    body: T.Optional(LogoutRequest),
    response: { ...errorResponses(401, 422) },
    detail: {
      operationId: "logout",
      summary: "Sign out",
      description:
        "Ends the session of the refresh token in the body, or of the access token sent as bearer. Its access token stops working at once. Ending a session that has already ended is not an error.",
      tags,
      responses: { 204: { description: "The session has ended." } },
    },
    handler: async ({ query: { scope = "local" }, body, request }) => {
      const bearer = request.headers.get("authorization")?.replace(/^Bearer /, "");
      if (body?.refresh_token !== undefined) await sessions.revokeByRefreshToken(body.refresh_token);
      else if (bearer === undefined)
        throw invalid("/body/refresh_token", "is required, unless an access token is sent as bearer");
      else {
        // Ending a session that has already ended is not an error, so the token's claims are used rather than its
        // caller.
        const { sub, sid } = (await keyring.verifyToken(bearer, accessTokenType)) ?? {};
        if (sub === undefined) throw failure("invalid_api_key");
        const current = typeof sid === "string" ? sid : null;
        if (scope !== "local") await sessions.revokeOf(sub, scope === "others" ? current : null);
        else if (current !== null) await sessions.revoke(sub, current);
      }
      return new Response(null, { status: 204 });
    },
  }),
];

const RecoverAnswer = closed({ message: T.String() }, { title: "RecoverAnswer" });
const sentAnswer = { message: "If there is an account with this address, we have sent it a link." };
/** Without a mail server the link stays in the outbox, where the operator finds it. */
const unsentAnswer = {
  message:
    "This server does not send mail. If there is an account with this address, ask the operator for the link to reset the password.",
};
const ResetLink = closed(
  {
    api_keys: T.Integer({ minimum: 0, description: "Number of the person's valid API keys." }),
    connections: T.Integer({ minimum: 0, description: "Number of the person's active connections to `/mcp`." }),
  },
  { title: "ResetLink" },
);

/** Routes for forgotten passwords. */
const recoverRoutes = ({ accounts, mailer }: AuthRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/auth/v1/recover",
    access: open,
    body: RecoverRequest,
    response: { 202: RecoverAnswer, ...errorResponses(422) },
    detail: {
      operationId: "recoverPassword",
      summary: "Request a password reset link",
      description: "The response is the same, and takes the same time, whether or not the account exists.",
      tags,
    },
    handler: ({ body, set }) => {
      accounts.recover(body.email);
      set.status = 202;
      return mailer.isConfigured ? sentAnswer : unsentAnswer;
    },
  }),
  defineRoute({
    method: "POST",
    path: "/auth/v1/reset-password",
    access: open,
    body: ResetPasswordRequest,
    response: { ...errorResponses(401, 422, 429) },
    detail: {
      operationId: "resetPassword",
      summary: "Choose a new password",
      description:
        "With the token from the link, which is valid for one hour and can be used once. Every session ends; API keys and connections stay, unless `revoke_access` is true.",
      tags,
      responses: { 204: { description: "The password has been changed." } },
    },
    handler: async ({ body }) => {
      await accounts.resetPassword(body.token, body.password, body.revoke_access ?? false);
      return new Response(null, { status: 204 });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/auth/v1/reset-link",
    access: open,
    body: ResetLinkRequest,
    response: { 200: ResetLink, ...errorResponses(401, 422) },
    detail: {
      operationId: "readResetLink",
      summary: "See what a new password may revoke",
      description:
        "With the token from the link, which is not consumed. Returns the number of API keys and connections.",
      tags,
    },
    handler: ({ body }) => accounts.resettable(body.token),
  }),
];

const updateHook = {
  access: personal,
  body: UserUpdate,
  response: { 200: User, ...errorResponses(401, 422, 429) },
};
const updateWords =
  "Changing the e-mail address or the password requires `current_password`, or a sign-in within the last five minutes, and ends the other sessions. A new address may have to be confirmed before it takes effect.";

/** Routes for the caller's own account. */
const userRoutes = ({ accounts }: AuthRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/auth/v1/user",
    access: personal,
    response: { 200: User, ...errorResponses(401) },
    detail: { operationId: "getUser", summary: "Read the signed-in user", description: "", tags },
    handler: ({ request }) => accounts.read(callerOf(request)),
  }),
  defineRoute({
    method: "PATCH",
    path: "/auth/v1/user",
    ...updateHook,
    detail: { operationId: "updateUser", summary: "Change the signed-in user", description: updateWords, tags },
    handler: ({ body, request }) => accounts.update(callerOf(request), body, originOf(request)),
  }),
  defineRoute({
    method: "PUT",
    path: "/auth/v1/user",
    ...updateHook,
    detail: {
      operationId: "putUser",
      summary: "Change the signed-in user, as GoTrue's clients do",
      description: `The same as PATCH: omitted fields stay unchanged. ${updateWords}`,
      tags,
    },
    handler: ({ body, request }) => accounts.update(callerOf(request), body, originOf(request)),
  }),
];

const SessionPath = T.Object({ session_id: T.String({ format: "uuid" }) });

/** Routes for the caller's sessions. */
const sessionRoutes = ({ sessions }: AuthRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/auth/v1/sessions",
    access: personal,
    response: { 200: page(SessionSummary, "SessionList"), ...errorResponses(401) },
    detail: {
      operationId: "listSessions",
      summary: "List your sessions",
      description: "Active sessions, newest first. A session ends after 30 days without use.",
      tags,
    },
    handler: async ({ request }) => {
      const { user_id, session_id } = callerOf(request);
      return { items: await sessions.list(user_id, session_id), next_cursor: null };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/auth/v1/sessions/:session_id",
    access: personal,
    params: SessionPath,
    response: { ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "deleteSession",
      summary: "End a session",
      description: "Its access token stops working at once.",
      tags,
      responses: { 204: { description: "The session has ended." } },
    },
    handler: async ({ params, request }) => {
      if (!(await sessions.revoke(callerOf(request).user_id, params.session_id))) throw failure("not_found");
      return new Response(null, { status: 204 });
    },
  }),
];

/** The routes of the native sign-in, compatible with GoTrue's clients as far as the specification allows. */
export const authRoutes = (services: AuthRoutesServices): Route[] => [
  ...entryRoutes(services),
  ...leaveRoutes(services),
  ...recoverRoutes(services),
  ...userRoutes(services),
  ...sessionRoutes(services),
];
